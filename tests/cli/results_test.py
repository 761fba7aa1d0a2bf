# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run that finishes prints and writes."""
import json
import math
import struct
import unittest
from pathlib import Path

from support import MODELS, CommandLineTest, read_csv

# The object of the contract (docs/reference/results.md), literally.
SCHEMA = {
    "status": str, "t": float,
    "steps": {"accepted": int, "rejected": int},
    "counts": {"accelerations": int, "projection": int, "iterations_average": float, "iterations_max": int,
               "dg": int, "d2g": int, "d3g": int, "df_inv": int, "d2f_inv": int,
               "evaluations_by_code": int, "steps_by_code": int, "evaluations_in_lanes": int,
               "steps_in_lanes": int, "stage_iterations": int, "stage_failures": int,
               "linearisations": int, "real_factors": int, "complex_factors": int,
               "steps_of_order_5": int, "steps_of_order_9": int, "steps_of_order_13": int},
    "cpu_seconds": {"total": float, "stages": float, "projection": float},
    "violation": {"position": float, "velocity": float, "euler_parameters": float},
    "energy": {"kinetic": float, "potential": float, "external_work": float,
               "balance_error": float, "balance_error_max": float},
    "final": dict,
}


class Json(CommandLineTest):
    def assert_schema(self, value, schema):
        for key, kind in schema.items():
            self.assertIn(key, value)
            if isinstance(kind, dict):
                self.assert_schema(value[key], kind)
            else:
                self.assertIs(type(value[key]), kind, key)

    def test_keys_nesting_and_numbers(self):
        summary = self.run_json(MODELS / "paper" / "crank.yaml", "--t-end", "1")
        self.assert_schema(summary, SCHEMA)
        self.assertEqual(list(summary)[:8], list(SCHEMA))
        self.assertEqual(summary["status"], "finished")
        self.assertEqual(summary["t"], 1.0)
        self.assertGreater(summary["steps"]["accepted"], 5)
        self.assertGreater(summary["counts"]["accelerations"], summary["steps"]["accepted"])
        self.assertEqual(list(summary["final"]), ["crank", "rod", "slider"])
        for body in summary["final"].values():
            self.assertEqual({key: len(body[key]) for key in body},
                             {"position": 3, "orientation": 4, "velocity": 3, "angular_velocity": 3})
            self.assertAlmostEqual(math.hypot(*body["orientation"]), 1.0, delta=1e-14)
        self.assertLess(summary["violation"]["position"], 1e-10)

    def test_stdout_is_the_object_and_nothing_else(self):
        for extra in ([], ["-q"], ["-o", self.path("a.csv")]):
            done = self.trammel("run", self.model, "--json", *extra)
            self.assertEqual(done.stderr, "")
            self.assertTrue(done.stdout.startswith('{"status"') and done.stdout.endswith("}\n"))
            json.loads(done.stdout)

    def test_file_is_what_is_printed(self):
        printed = self.run_json(self.model, "-o", self.path("run.json"))
        with open(self.path("run.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), printed)

    def test_two_runs_give_the_same_bits(self):
        runs = []
        for name in ("a.csv", "b.csv"):
            summary = self.run_json(self.model, "-o", self.path(name))
            del summary["cpu_seconds"]
            runs.append(json.dumps(summary))
        self.assertEqual(runs[0], runs[1])
        self.assertEqual((self.folder / "a.csv").read_bytes(),
                         (self.folder / "b.csv").read_bytes())


class Csv(CommandLineTest):
    def test_header_and_rows(self):
        summary = self.run_json(self.model, "--output-interval", "0.125", "-o", self.path("a.csv"))
        header, rows = read_csv(self.path("a.csv"))
        self.assertEqual(header[:5], ["time [s]", "bob.position.x [m]", "bob.position.y [m]",
                                      "bob.position.z [m]", "bob.orientation.0 [1]"])
        for name in ("bob.velocity.x [m/s]", "bob.angular_velocity.z [rad/s]",
                     "pivot.reaction_force.x [N]", "pivot.reaction_moment.z [N m]",
                     "kinetic_energy [J]", "potential_energy [J]", "external_work [J]",
                     "energy_balance_error [J]"):
            self.assertIn(name, header)
        self.assertEqual([row[0] for row in rows], [i / 8 for i in range(9)])
        self.assertTrue(all(len(row) == len(header) for row in rows))
        self.assertTrue(all(math.isfinite(x) for row in rows for x in row))
        # The last row is the final state, to the bit.
        final = summary["final"]["bob"]
        state = (final["position"] + final["orientation"] + final["velocity"] +
                 final["angular_velocity"])
        self.assertEqual(struct.pack("13d", *rows[-1][1:14]), struct.pack("13d", *state))

    def test_default_is_a_thousand_intervals(self):
        self.trammel("run", self.model, "-q", "-o", self.path("a.csv"))
        self.assertEqual(len(read_csv(self.path("a.csv"))[1]), 1001)

    def test_output_at_steps(self):
        summary = self.run_json(self.model, "--output-at-steps", "-o", self.path("a.csv"))
        self.assertEqual(len(read_csv(self.path("a.csv"))[1]), summary["steps"]["accepted"] + 1)


class Report(CommandLineTest):
    def test_brief(self):
        done = self.trammel("run", self.model)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("test pendulum\n"), done.stdout)
        self.assertLessEqual(len(done.stdout.splitlines()), 12)
        self.assertIn("1 body, 1 joint, 3 degrees of freedom", done.stdout)
        self.assertIn("\n  finished ", done.stdout)

    def test_what_the_mechanism_did(self):
        crank = MODELS / "paper" / "crank.yaml"
        text = self.trammel("run", crank, "--t-end", "3", "-o", self.path("a.csv")).stdout
        header, rows = read_csv(self.path("a.csv"))
        column = [row[header.index("shaft.angle [rad]")] for row in rows]
        self.assertIn(f"shaft.angle    0 to {max(column):.4g} rad ({max(column) / math.tau:.4g} "
                      "revolutions)\n", text)
        joints = [name[:-len(".reaction_force.x [N]")] for name in header
                  if name.endswith(".reaction_force.x [N]")]
        peak = max((math.hypot(*(row[header.index(f"{joint}.reaction_force.{c} [N]")]
                                 for c in "xyz")), joint, row[0])
                   for row in rows for joint in joints)
        force = f"{peak[0]:.4g} N" if peak[0] < 1e4 else f"{peak[0] / 1e3:.4g} kN"
        self.assertIn(f"reactions  largest force {force} in {peak[1]} at t = {peak[2]:.4g} s", text)

    def test_ranges_do_not_depend_on_which_rows_are_kept(self):
        # thousands of steps: without a file, and with an HDF5 file only, rows leave the memory
        crank = MODELS / "paper" / "crank.yaml"
        arguments = ["run", crank, "--max-step", "0.001", "--t-end", "3"]
        lines = []
        for extra in ([], ["-o", self.path("a.csv")],
                      ["-o", self.path("a.h5"), "--flush-interval", "1e-6"]):
            text = self.trammel(*arguments, *extra).stdout
            lines.append(text.split("  accuracy ")[0])
            self.assertIn("reactions", lines[-1])
        self.assertEqual(lines[0], lines[1])
        self.assertEqual(lines[0], lines[2])

    def test_full_starts_with_brief(self):
        done = self.trammel("run", self.model, "--full")
        self.assertEqual(done.returncode, 0)
        for heading in ("Options\n", "Counts\n", "Energy\n", "CPU time\n", "State at t = 1 s\n"):
            self.assertIn(heading, done.stdout)

    def test_names_the_files(self):
        done = self.trammel("run", self.model, "-o", self.path("a.csv"), "-o", self.path("b.json"))
        self.assertTrue(done.stdout.endswith(
            f"Written: {self.path('a.csv')}, {self.path('b.json')}\n"))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["a.csv", "b.json", "pendulum.yaml"])

    def test_quiet(self):
        done = self.trammel("run", self.model, "-q")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_check(self):
        done = self.trammel("check", self.model)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("3 degrees of freedom", done.stdout)
        self.assertIn("the model can run", done.stdout)
        summary = json.loads(self.trammel("check", self.model, "--json").stdout)
        self.assertTrue(summary["ok"])
        self.assertEqual(summary["degrees_of_freedom"], 3)


class Options(CommandLineTest):
    def test_command_line_wins_over_the_model(self):
        summary = self.run_json(self.model, "--t-end", "0.5", "--rtol", "1e-6", "--atol", "1e-5",
                                "--method", "dopri5", "--projection", "mass", "--project-stages",
                                "--invariants", "energy")
        self.assertEqual(summary["t"], 0.5)
        expected = {"t_end": 0.5, "rtol": 1e-6, "atol": 1e-5, "method": "dopri5",
                    "projection": "mass", "project_stages": True, "kinematics": "off",
                    "invariants": ["energy"]}
        self.assertEqual(list(summary["options"].items())[:len(expected)], list(expected.items()))

    def test_every_option_is_on_the_command_line_in_the_summary_and_in_the_report(self):
        changes = {
            "t_end": 0.5, "rtol": 1e-6, "atol": 1e-5, "method": "dopri5", "projection": "none",
            "project_stages": False, "kinematics": "off", "invariants": [],
            "energy_correction": "scaling", "schur": "iterative", "kernel": "loops", "threads": 2,
            "step_control": "classical", "initial_step": 1e-3, "max_step": 0.01, "fixed_step": 0.005,
            "max_steps": 1000, "max_growth": 2.0, "event_resolution": 0.01, "output_interval": 0.1, "output_at_steps": False,
            "record": ["positions", "energies"], "reaction_frame": "body"}
        arguments = []
        for word, value in changes.items():
            if value is not False and word not in ("kinematics", "invariants"):
                text = ",".join(value) if isinstance(value, list) else str(value)
                arguments += ["--" + word.replace("_", "-"), text]
        options = self.run_json(self.model, *arguments)["options"]
        self.assertEqual({word: options[word] for word in changes}, changes)
        jets = {"work_quadrature", "newton_tolerance", "energy_scale", "newton_forcing", "raw_error"}
        self.assertEqual(set(options) - set(changes), jets)
        report = self.trammel("run", self.model, "--full", *arguments).stdout
        lines = dict(line.split(maxsplit=1) for line in
                     report.split("\nOptions\n")[1].split("\n\n")[0].splitlines())
        self.assertEqual(list(lines), [word for word in options if word not in jets])
        self.assertEqual((lines["max_step"], lines["record"], lines["threads"]),
                         ("0.01 s", "positions, energies", "2"))

    def test_flags_of_the_model_can_be_taken_back(self):
        model = self.write("stages.yaml", Path(self.model).read_text("utf-8")
                           .replace("rtol: 1e-8", "project_stages: true, rtol: 1e-8"))
        self.assertIs(self.run_json(model)["options"]["project_stages"], True)
        self.assertIs(self.run_json(model, "--project-stages=false")["options"]["project_stages"],
                      False)

    def test_options_say_what_was_done(self):
        options = self.run_json(self.model, "--projection", "none", "--project-stages",
                                "--invariants", "energy")["options"]
        self.assertEqual((options["project_stages"], options["invariants"]), (False, []))

    def test_invariants_are_a_set(self):
        crank = MODELS / "paper" / "crank.yaml"
        for words, held in ((("angular_momentum,energy",), ["energy", "angular_momentum"]),
                            (("energy", "--invariants", "linear_momentum"),
                             ["energy", "linear_momentum"]),
                            (("linear_momentum",), ["linear_momentum"]), (("none",), [])):
            summary = self.run_json(crank, "--t-end", "0.1", "--invariants", *words)
            self.assertEqual(summary["options"]["invariants"], held)
            self.assertEqual("the linear momentum of a mechanism tied to the ground is not enforced"
                             in summary["warnings"], "linear_momentum" in held)

    def test_model_is_the_default(self):
        options = self.run_json(self.model)["options"]
        self.assertEqual((options["rtol"], options["invariants"]), (1e-8, []))
        self.assertEqual(
            self.run_json(MODELS / "paper" / "crank.yaml", "--t-end", "0.1")["options"]["invariants"],
            ["energy"])

    def test_set(self):
        before = self.run_json(self.model)["final"]["bob"]
        after = self.run_json(self.model, "--set", "length=0.75", "--set", "spin=-2e0")["final"]["bob"]
        self.assertAlmostEqual(math.hypot(*before["position"]), 0.5, delta=1e-10)
        self.assertAlmostEqual(math.hypot(*after["position"]), 0.75, delta=1e-10)
        self.assertIn("3 degrees", self.trammel("check", self.model, "--set", "length=2").stdout)

    def test_fixed_step(self):
        steps = self.run_json(self.model, "--fixed-step", "0.01")["steps"]
        self.assertEqual(steps, {"accepted": 100, "rejected": 0})

    def test_max_step_and_initial_step(self):
        few = self.run_json(self.model)["steps"]["accepted"]
        many = self.run_json(self.model, "--max-step", "0.002", "--initial-step", "1e-4")
        self.assertGreaterEqual(many["steps"]["accepted"], 500)
        self.assertLess(few, 500)


if __name__ == "__main__":
    unittest.main()
