# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Help, version, and command lines that cannot be meant (exit status 3)."""
import re
import unittest

from support import CommandLineTest


class Help(CommandLineTest):
    def test_version(self):
        done = self.trammel("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"\Atrammel \d+\.\d+\.\d+\n\Z")

    def test_help_goes_to_stdout(self):
        for arguments in (["--help"], ["-h"], ["run", "--help"], ["check", "--help"]):
            done = self.trammel(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("Exit status", done.stdout)
            self.assertIn("Example", done.stdout)

    def test_run_help_names_every_option_of_the_contract(self):
        text = self.trammel("run", "--help").stdout
        for option in ("--t-end", "--rtol", "--atol", "--method dopri5|dop853", "--projection",
                       "--project-stages", "--invariants energy|linear_momentum|angular_momentum|none",
                       "--output-interval", "--set",
                       "-o", "--json", "-q", "--energy-correction", "--step-control",
                       "--initial-step", "--max-step", "--fixed-step", "--max-steps",
                       "--output-at-steps", "--full", "--allow-outside"):
            self.assertIn(option, text)

    def test_alone_it_helps_and_exits_with_3(self):
        done = self.trammel()
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("Usage: trammel", done.stderr)


class Usage(CommandLineTest):
    def refuse(self, message, *arguments):
        done = self.assert_fails(3, message, *arguments)
        self.assertTrue(done.stderr.startswith("trammel: "), done.stderr)
        self.assertTrue(re.search(r"Try 'trammel .*--help'", done.stderr), done.stderr)

    def test_empty_names_of_files(self):
        for command in (["run", ""], ["export", ""], ["check", ""]):
            done = self.trammel(*command, *(["-o", self.path("a.csv")] if command[0] != "check" else []))
            self.assertIn(done.returncode, (1, 3), done.stderr)
            self.assertNotIn("internal error", done.stderr)

    def test_command(self):
        self.refuse("frobnicate", "frobnicate")
        self.refuse("MODEL is required", "run")
        self.refuse("MODEL is required", "check")
        self.refuse("--bogus", "run", self.model, "--bogus")
        self.refuse("second.yaml", "run", self.model, "second.yaml")
        self.refuse("one or the other", "run", self.model, "--json", "--full")

    def test_unknown_names_get_a_suggestion(self):
        self.refuse("unknown command 'bench'", "bench", "--help")
        self.refuse("unknown command 'chekc' (did you mean 'check'?)", "chekc", self.model)
        self.refuse("unknown option '--t_end' (did you mean '--t-end'?)", "run", self.model,
                    "--t_end", "1")
        self.refuse("unknown option '--rtoll' (did you mean '--rtol'?)", "run", self.model,
                    "--rtoll=1e-6")
        self.refuse("unknown option '--dt' (did you mean '--fixed-step'?)", "run", self.model,
                    "--dt", "1e-3")
        self.refuse("unknown option '--colour'\nTry 'trammel check --help'.", "check", self.model,
                    "--colour")

    def test_what_the_solver_refuses_is_named_as_an_option(self):
        done = self.trammel("run", self.model, "--rtol", "1e-16")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertTrue(done.stderr.startswith("trammel: --rtol: "), done.stderr)
        self.assertNotIn("pendulum.yaml", done.stderr)

    def test_numbers(self):
        for option in ("--t-end", "--rtol", "--atol", "--output-interval", "--initial-step",
                       "--max-step", "--fixed-step"):
            self.refuse(f"{option}: must be greater than 0, got 0", "run", self.model, option, "0")
            self.refuse(f"{option}: must be greater than 0, got -1", "run", self.model, option, "-1")
            for text in ("nan", "inf", "1e-7x", "abc", "1e999", "", "0x10", "1,5"):
                self.refuse(f"{option}: '{text}' is not a number", "run", self.model, option, text)
            self.refuse(option, "run", self.model, option)
            self.refuse(option, "run", self.model, option, "1", option, "2")
        for text in ("0", "-1", "1.5", "many", "99999999999999999999"):
            self.refuse("--max-steps", "run", self.model, "--max-steps", text)

    def test_words(self):
        self.refuse("'rk4' is not one of dopri5|dop853", "run", self.model, "--method", "rk4")
        for words in (("momentum",), ("energy,momentum",), ("energy", "--invariants", "momentum")):
            self.refuse("--invariants: 'momentum' is not one of "
                        "energy|linear_momentum|angular_momentum|none", "run", self.model,
                        "--invariants", *words)
        self.refuse("--invariants: 'none' cannot be combined with others", "run", self.model, "--invariants",
                    "none,energy")
        self.refuse("'x' is not one of scaling|combined|embedded|relaxation", "run", self.model,
                    "--energy-correction", "x")
        self.refuse("'x' is not one of pi|classical", "run", self.model, "--step-control", "x")
        self.refuse("'x' is not one of mass|quasi_orthogonal|orthogonal|none", "run", self.model,
                    "--projection", "x")

    def test_set(self):
        for command in ("run", "check"):
            self.refuse("'a' is not of the form name=value", command, self.model, "--set", "a")
            self.refuse("'=1' is not of the form name=value", command, self.model, "--set", "=1")
            self.refuse("--set a=: the value is missing", command, self.model, "--set", "a=")
            self.assert_fails(1, "--set a=abc: ", command, self.model, "--set", "a=abc")

    def test_output_files(self):
        endings = "the extension must be .csv, .json, .h5 or .html"
        self.refuse(endings, "run", self.model, "-o", self.path("a.txt"))
        self.refuse(endings, "run", self.model, "-o", self.path("a"))
        self.refuse("given twice", "run", self.model, "-o", self.path("a.csv"),
                    "-o", self.path("./a.csv"))
        model = self.write("model.json", "{}")
        self.refuse("this is the model file", "run", model, "-o", model)


if __name__ == "__main__":
    unittest.main()
