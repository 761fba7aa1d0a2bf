# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bad input (exit status 1), runs that do not finish (2), and files that cannot be written."""
import json
import os
import resource
import subprocess
import unittest

from support import DOOR, PROGRAM, CommandLineTest, read_csv


class BadInput(CommandLineTest):
    def test_missing_file(self):
        for command in ("run", "check"):
            done = self.assert_fails(1, "no-such.yaml", command, self.path("no-such.yaml"))
            self.assertTrue(done.stderr.startswith("trammel: "))
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_folder_as_file(self):
        self.assert_fails(1, str(self.folder), "run", str(self.folder))

    def test_all_mistakes_are_listed(self):
        model = self.write("bad.yaml", "trammel: 1\nbodies:\n  a: {mass: -1, inertia: [1, 1, 1]}\n"
                                       "  b: {mass: 1, inertia: [1, 1, 9]}\n")
        for command in ("run", "check"):
            done = self.assert_fails(1, f"trammel: 2 errors in {model}\n", command, model)
            self.assertIn("bad.yaml:3:", done.stderr)
            self.assertIn("bad.yaml:4:", done.stderr)

    def test_unknown_parameter(self):
        self.assert_fails(1, "lenght", "run", self.model, "--set", "lenght=1")

    def test_value_the_model_does_not_bear(self):
        model = self.write("mass.yaml", "trammel: 1\nparameters: {m: 1}\nbodies:\n"
                                        "  a: {mass: m, inertia: [1, 1, 1]}\n")
        self.assert_fails(1, "trammel: 1 error in ", "run", model, "--set", "m=-1")

    def test_redundant_model_runs_and_its_rows_are_named(self):
        model = self.write("door.yaml", DOOR)
        done = self.trammel("check", model)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("10, 5 of them independent", done.stdout)
        self.assertRegex(done.stdout, r"\n +(top|bottom)\.C\.z = (top|bottom)\.C\.z")
        summary = json.loads(self.trammel("check", model, "--json").stdout)
        self.assertTrue(summary["ok"])
        self.assertEqual(len(summary["dependent"]), 5)
        self.assertEqual((summary["rows"], summary["rank"]), (10, 5))
        self.assertEqual(self.trammel("run", model, "-q").returncode, 0)

    def test_locked_model_is_refused(self):
        stop = "  stop: {kind: spherical, bodies: [ground, door], at: [1, 0, 0]}\n"
        model = self.write("locked.yaml", DOOR + stop + "drivers: {motor: {joint: top, angle: t}}\n")
        done = self.trammel("check", model)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Refused", done.stdout)
        self.assertIn("refused", done.stderr)
        quiet = self.trammel("check", model, "-q")
        self.assertEqual((quiet.returncode, quiet.stdout), (1, ""))
        self.assertIn("locked", quiet.stderr)
        self.assertFalse(json.loads(self.trammel("check", model, "--json").stdout)["ok"])
        self.assert_fails(1, "locked", "run", model, "-o", self.path("a.csv"))

    def test_structure_gives_its_reactions(self):
        stop = "  stop: {kind: spherical, bodies: [ground, door], at: [1, 0, 0]}\n"
        model = self.write("structure.yaml", DOOR + stop)
        done = self.trammel("check", model)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("0 degrees of freedom: a structure; a run gives its reactions", done.stdout)
        self.assertIn("loads are shared evenly", done.stdout)
        done = self.trammel("run", model, "--t-end", "1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("static: reactions of a structure", done.stdout)
        self.assert_fails(1, "locked", "run", model, "--kinematics", "off")

    def test_driven_model_is_not_integrated_unless_asked(self):
        model = self.write("driven.yaml", DOOR + "drivers: {motor: {joint: top, angle: t^2}}\n")
        done = self.trammel("run", model, "--t-end", "1")
        self.assertIn("kinematic: all degrees of freedom are driven", done.stdout)
        summary = json.loads(self.trammel("run", model, "--t-end", "1", "--json").stdout)
        self.assertEqual((summary["status"], summary["options"]["kinematics"]), ("finished", "auto"))
        summary = json.loads(self.trammel("run", model, "--t-end", "1", "--json",
                                          "--kinematics", "off").stdout)
        self.assertEqual((summary["status"], summary["options"]["kinematics"]), ("finished", "off"))


    def test_at_most_a_hundred_mistakes_are_printed(self):
        bodies = "".join(f"  b{k}: {{mass: -1, inertia: [1, 1, 1]}}\n" for k in range(250))
        model = self.write("bad.yaml", "trammel: 1\nbodies:\n" + bodies)
        done = self.assert_fails(1, f"trammel: 250 errors in {model}\n", "run", model)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1 + 100 + 1)
        self.assertEqual(lines[-1], "and 150 more")

    def test_a_start_that_does_not_close_names_the_joint(self):
        model = self.write("gap.yaml", """\
trammel: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], hold: true}
  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], hold: true}
joints:
  rod: {kind: distance, bodies: [a, b], points: [[0, 0, 0], [0, 0, 0]], length: 1.0000000001}
""")
        done = self.trammel("check", model, "-q")
        self.assertEqual(done.returncode, 1)
        self.assertIn("at rod.D; open: rod (1e-10 m)\n", done.stderr)


class LittleMemory(CommandLineTest):
    def peak(self, *arguments):
        """Largest resident size of a run, MiB."""
        pid = os.posix_spawn(PROGRAM, [PROGRAM, "run", *arguments], os.environ)
        _, status, usage = os.wait4(pid, 0)
        self.assertEqual(status, 0)
        return usage.ru_maxrss / 1024

    def test_rows_are_not_kept_without_a_file_for_them(self):
        model = self.write("free.yaml", "trammel: 1\nbodies: {stone: {mass: 1, inertia: [1, 1, 1], "
                                        "velocity: [1, 0, 0]}}\nsimulation: {t_end: 1}\n")
        few = self.peak(model, "-q")
        many = self.peak(model, "-q", "--output-interval", "2e-6")  # 100 MiB of rows
        self.assertLess(many, few + 20)
        summary = self.run_json(model, "--output-interval", "1e-3")
        self.assertAlmostEqual(summary["final"]["stone"]["position"][0], 1.0, places=12)

    def test_no_more_threads(self):
        limit = 400 << 20  # stacks of 64 threads do not fit

        done = self.trammel("run", self.model, "--threads", "64", "--json", preexec_fn=lambda:
                            resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        alone = self.run_json(self.model)
        self.assertEqual(json.loads(done.stdout)["final"], alone["final"])


class DoesNotFinish(CommandLineTest):
    def test_too_large_a_fixed_step_says_so(self):
        model = self.write("arm.yaml", """\
trammel: 1
gravity: [0, -9.81, 0]
bodies:
  a: {position: [0.5, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}
  b: {position: [1.5, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  h: {kind: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  k: {kind: revolute, bodies: [a, b], at: [1, 0, 0], axis: [0, 0, 1]}
forces:
  s: {kind: joint_spring_damper, joint: h, stiffness: 1e5, damping: 1e3}
  t: {kind: joint_spring_damper, joint: k, stiffness: 1e5, damping: 1e3}
""")
        done = self.trammel("run", model, "-q", "--fixed-step", "0.5")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^trammel: did not finish: failed at t = .* s: .*the fixed "
                                      r"step of 0\.5 s .* too large: try 0\.05 s, or error control\n$")

    def test_a_model_that_cannot_be_assembled_names_its_file(self):
        model = self.write("apart.yaml", """\
trammel: 1
name: apart
bodies:
  a: {mass: 1, inertia: [1, 1, 1], hold: true}
joints:
  p: {kind: spherical, bodies: [ground, a], points: [[1, 0, 0], [0, 0, 0]]}
""")
        done = self.assert_fails(1, f"trammel: 1 error in {model}\n", "run", model)
        self.assertIn(f"\n{model}: apart: cannot be assembled: ", done.stderr)

    def test_too_many_steps_keeps_what_was_computed(self):
        done = self.trammel("run", self.model, "--max-steps", "10", "--t-end", "100",
                            "--output-interval", "0.001", "--json",
                            "-o", self.path("a.csv"), "-o", self.path("a.json"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("trammel: did not finish: ", done.stderr)
        summary = json.loads(done.stdout)
        self.assertEqual(summary["status"], "too_many_steps")
        self.assertEqual(summary["steps"]["accepted"] + summary["steps"]["rejected"], 10)
        self.assertTrue(0 < summary["t"] < 100)
        rows = read_csv(self.path("a.csv"))[1]
        self.assertGreater(len(rows), 3)
        self.assertLessEqual(rows[-1][0], summary["t"])
        self.assertEqual(json.loads((self.folder / "a.json").read_text()), summary)

    def test_report_says_why(self):
        done = self.trammel("run", self.model, "--max-steps", "3", "--t-end", "100")
        self.assertEqual(done.returncode, 2)
        self.assertIn("\n  unfinished ", done.stdout)

    def test_quiet_still_tells_the_reason(self):
        done = self.trammel("run", self.model, "--max-steps", "3", "--t-end", "100", "-q")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertTrue(done.stderr.startswith("trammel: did not finish: "))


class Unwritable(CommandLineTest):
    def test_missing_folder_is_noticed_before_the_run(self):
        self.assert_fails(1, "no/a.csv: cannot be written: No such file or directory", "run",
                          self.model, "--t-end", "1e9", "-o", self.path("no/a.csv"))

    def test_folder_of_that_name(self):
        os.mkdir(self.path("a.csv"))
        self.assert_fails(1, "a.csv: cannot be written: Is a directory", "run", self.model,
                          "-o", self.path("a.csv"))

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_no_permission(self):
        os.chmod(self.folder, 0o500)
        self.addCleanup(os.chmod, self.folder, 0o700)
        self.assert_fails(1, "Permission denied", "run", self.model, "-o", self.path("a.csv"))

    def test_no_room_leaves_nothing_half_written_and_the_other_file_whole(self):
        self.write("a.csv", "old\n")

        def limit():  # as if the disk were full after 20,000 bytes
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        done = self.trammel("run", self.model, "-o", self.path("a.csv"), "-o", self.path("b.json"),
                            preexec_fn=limit)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("a.csv: cannot be written: File too large", done.stderr)
        self.assertNotIn("Written", done.stdout)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["a.csv", "b.json", "pendulum.yaml"])
        self.assertEqual((self.folder / "a.csv").read_text(), "old\n")
        json.loads((self.folder / "b.json").read_text())

    def test_stdout_without_room(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, "run", self.model, "--json"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output cannot be written", done.stderr)


if __name__ == "__main__":
    unittest.main()
