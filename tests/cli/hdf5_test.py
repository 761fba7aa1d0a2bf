# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""HDF5 results, read with h5py: layout, bits, choice of what is recorded, errors, documentation."""
import json
import os
import re
import resource
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
import numpy

from support import MODELS, CommandLineTest, read_csv

DOCS = MODELS.parent / "docs"


def text(value):
    """Texts have a fixed length in the file: h5py gives bytes."""
    return value.decode("utf-8")


def texts(values):
    return [text(value) for value in values]


BODY = {"position": 3, "orientation": 4, "velocity": 3, "angular_velocity": 3}
RUN = ["kinetic_energy", "potential_energy", "external_work", "energy_balance_error",
       "violation_position", "violation_velocity"]


class Layout(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.crank = str(MODELS / "paper" / "crank.yaml")
        self.h5 = self.path("run.h5")

    def test_arrays_names_units_and_texts(self):
        summary = self.run_json(self.crank, "--t-end", "1", "-o", self.h5)
        with h5py.File(self.h5, "r") as run:
            for name, value in (("format", "trammel results"), ("status", "finished"),
                                ("message", summary["message"]), ("version", summary["version"]),
                                ("model_name", "crank")):
                self.assertEqual(text(run.attrs[name]), value)
            n = len(run["time"])
            self.assertEqual(n, 1001)
            self.assertEqual(text(run["time"].attrs["unit"]), "s")
            for name, components in BODY.items():
                self.assertEqual(run[name].shape, (n, 3, components), name)
                self.assertEqual(texts(run[name].attrs["names"]), ["crank", "rod", "slider"])
            self.assertEqual(texts(run["position"].attrs["components"]), ["x", "y", "z"])
            self.assertEqual(texts(run["position"].attrs["axes"]), ["time", "body", "component"])
            self.assertEqual(text(run["angular_velocity"].attrs["unit"]), "rad/s")
            for name in ("reaction_force", "reaction_moment"):
                self.assertEqual(run[name].shape, (n, 4, 3))
                self.assertEqual(texts(run[name].attrs["names"]), ["pin", "guide", "cross", "shaft"])
            for name in RUN:
                self.assertEqual(run[name].shape, (n,), name)
            self.assertEqual(run["model"].asstr()[()], Path(self.crank).read_text("utf-8"))
            options = json.loads(run["options"][()])
            self.assertEqual((options["t_end"], options["invariants"]), (1.0, ["energy"]))
            statistics = run["statistics"].attrs
            self.assertEqual(statistics["steps_accepted"], summary["steps"]["accepted"])
            self.assertEqual(statistics["energy_balance_error_max"],
                             summary["energy"]["balance_error_max"])
            steps = run["steps"]
            self.assertEqual(int(steps["accepted"][:].sum()), summary["steps"]["accepted"])
            self.assertEqual(len(steps["h"]), sum(summary["steps"].values()))
            self.assertEqual(list(run["final"][2, :3]), summary["final"]["slider"]["position"])
            self.assertEqual(run["scene/shape_body"][:].tolist(), [0, 1, 2])

    def test_the_datasets_do_not_depend_on_the_model(self):
        found = []
        for model in (self.crank, self.model):
            self.run_json(model, "--t-end", "0.1", "-o", self.h5)
            names = []
            with h5py.File(self.h5, "r") as run:
                run.visititems(lambda name, item: names.append(name)
                               if isinstance(item, h5py.Dataset) else None)
            found.append(sorted(names))
        self.assertEqual(found[0], found[1])
        self.assertIn("position", found[0])

    def test_export_gives_the_bits_of_the_direct_files(self):
        for extra in ([], ["--output-at-steps"], ["--record", "positions,violations"]):
            outputs = [self.path(name) for name in ("a.h5", "a.csv", "a.json")]
            done = self.trammel("run", self.crank, "--t-end", "2", "-q", *extra,
                                *(word for path in outputs for word in ("-o", path)))
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.trammel("export", self.path("a.h5"), "-o", self.path("b.csv"),
                                "-o", self.path("b.json"), "-o", self.path("b.h5"))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            done = self.trammel("export", self.path("b.h5"), "-o", self.path("c.csv"))
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in ("b.csv", "b.json", "c.csv"):
                direct = self.folder / ("a." + name.rsplit(".", maxsplit=1)[-1])
                self.assertEqual((self.folder / name).read_bytes(), direct.read_bytes(), extra)

    def test_many_updates_with_rows_leaving_the_memory_give_the_same_bits(self):
        run = ["run", self.crank, "-q", "--output-interval", "0.005"]
        self.assertEqual(self.trammel(*run, "-o", self.path("a.csv")).returncode, 0)
        done = self.trammel(*run, "-o", self.h5, "--flush-interval", "1e-6")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.trammel("export", self.h5, "-o", self.path("b.csv")).returncode, 0)
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())
        self.assertEqual([p.name for p in self.folder.glob("*.part")], [])

    def test_report_counts_rows_that_left_the_memory(self):
        done = self.trammel("run", self.model, "-o", self.h5, "--flush-interval", "1e-9")
        self.assertRegex(done.stdout, r"\n  output +1,001 points\n")

    def test_what_is_recorded_can_be_chosen(self):
        model = self.write("m.yaml", Path(self.model).read_text("utf-8").replace(
            "t_end: 1,", "t_end: 1, record: [positions, steps],"))
        for arguments, datasets, columns in (
                ([model], {"position", "orientation", "steps"}, 8),
                ([model, "--record", "energies"], set(RUN[:4]), 5),
                ([model, "--record", "reactions,velocities"],
                 {"velocity", "angular_velocity", "reaction_force", "reaction_moment"}, 13),
                ([model, "--record", "all"], set(BODY) | set(RUN) |
                 {"reaction_force", "reaction_moment", "steps"}, 33)):
            self.run_json(*arguments, "-o", self.h5, "-o", self.path("a.csv"))
            with h5py.File(self.h5, "r") as run:
                present = {name for name in (*BODY, *RUN, "reaction_force", "reaction_moment",
                                             "steps") if name in run}
                self.assertEqual(present, datasets)
                self.assertIn("final", run)
            self.assertEqual(len(read_csv(self.path("a.csv"))[0]), columns)

    def test_failed_run_keeps_everything_with_its_status(self):
        done = self.trammel("run", self.model, "--max-steps", "10", "--t-end", "100",
                            "--output-interval", "0.001", "-o", self.h5)
        self.assertEqual(done.returncode, 2)
        with h5py.File(self.h5, "r") as run:
            self.assertEqual(text(run.attrs["status"]), "too_many_steps")
            self.assertIn("max_steps", text(run.attrs["message"]))
            self.assertGreater(len(run["time"]), 3)
            self.assertLessEqual(run["time"][-1], run.attrs["t"])
            self.assertEqual(len(run["steps/t"]), 10)

    def test_documented_python_runs(self):
        text = (DOCS / "reference/results.md").read_text("utf-8")
        snippets = [code for code in re.findall(r"```python\n(.*?)```", text, re.S)
                    if "h5py" in code]
        self.assertEqual(len(snippets), 1)
        done = self.trammel("run", self.crank, "-q", "-o", self.path("crank.h5"))
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([sys.executable, "-c", snippets[0]], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
        self.assertRegex(done.stdout, r"^finished 10.0\n")


class Errors(CommandLineTest):
    def test_reading(self):
        out = self.path("a.csv")
        missing = self.path("no.h5")
        self.assert_fails(1, f"trammel: {missing}: cannot be read: No such file or directory\n",
                          "export", missing, "-o", out)
        text = self.write("text.h5", "not HDF5\n")
        self.assert_fails(1, f"trammel: {text}: cannot be read: it is not an HDF5 file\n",
                          "export", text, "-o", out)
        folder = str(self.folder)
        self.assert_fails(1, f"trammel: {folder}: cannot be read: Is a directory\n",
                          "export", folder, "-o", out)
        foreign = self.path("foreign.h5")
        with h5py.File(foreign, "w") as file:
            file["time"] = numpy.arange(3.0)
        self.assert_fails(1, "it is an HDF5 file, but not one of Trammel's results\n",
                          "export", foreign, "-o", out)
        with h5py.File(foreign, "w") as file:
            file.attrs["format"] = numpy.bytes_("trammel results")
            file.attrs["format_version"] = 9
        self.assert_fails(1, "its format has version 9, this program reads version 4\n",
                          "export", foreign, "-o", out)
        with h5py.File(foreign, "w") as file:  # as version 1 had it
            file.attrs["format"] = "trammel results"
            file.attrs["format_version"] = 1
        self.assert_fails(1, "it was written by an older version of Trammel, in a format that this "
                             "version does not read: run the model again\n",
                          "export", foreign, "-o", out)

    def test_damaged_files_are_refused_without_a_crash(self):
        self.trammel("run", self.model, "-q", "-o", self.path("a.h5"), "--output-interval", "0.1")
        whole = (self.folder / "a.h5").read_bytes()
        for change in range(60):
            damaged = bytearray(whole)
            if change < 30:
                damaged = damaged[:len(whole) * change // 30]
            else:
                start = len(whole) * (change - 30) // 30
                damaged[start:start + 40] = b"\xff" * 40
            (self.folder / "b.h5").write_bytes(bytes(damaged))
            done = self.trammel("export", self.path("b.h5"), "-o", self.path("b.csv"))
            self.assertIn(done.returncode, (0, 1), (change, done.stderr))
            if done.returncode == 1:  # libhdf5 may have a last word of its own when it closes
                self.assertRegex(done.stderr, r"^trammel: [^\n]*: cannot be read: [^\n]*\n")

    def test_writing(self):
        self.assert_fails(1, "no/a.h5: cannot be written: No such file or directory", "run",
                          self.model, "-o", self.path("no/a.h5"))
        os.mkfifo(self.path("pipe.h5"))
        self.assert_fails(1, "pipe.h5: cannot be written: Illegal seek", "run", self.model,
                          "-o", self.path("pipe.h5"))
        self.assert_fails(3, "-o " + self.path("a.xls") + ": the extension must be .csv, .json, .h5 or .html",
                          "run", self.model, "-o", self.path("a.xls"))
        self.trammel("run", self.model, "-q", "-o", self.path("a.h5"))
        self.assert_fails(3, "this is the results file", "export", self.path("a.h5"),
                          "-o", self.path("a.h5"))

    def test_unknown_words(self):
        self.assert_fails(3, "--record: 'position' is not one of positions|velocities|accelerations"
                             "|reactions|forces|energies|violations|steps|all", "run", self.model, "--record",
                          "position")
        model = self.write("m.yaml", Path(self.model).read_text("utf-8").replace(
            "t_end: 1,", "t_end: 1, record: [positons],"))
        self.assert_fails(1, "simulation.record[0]: ", "run", model)

    def limited(self, size, *arguments):
        """A run as if the disk were full after so many bytes of a file."""
        return self.trammel("run", self.model, *arguments, "-o", self.path("a.h5"),
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                  (size, size)))

    def test_no_room_at_the_start(self):
        self.write("a.h5", "old\n")
        done = self.limited(5000)
        self.assertEqual(done.returncode, 1)
        self.assertIn("a.h5: cannot be written: File too large", done.stderr)
        self.assertEqual((self.folder / "a.h5").read_text(), "old\n")
        self.assertEqual([p.name for p in self.folder.glob("*.part")], [])

    def test_no_room_later_leaves_the_last_update(self):
        # always due: a fast machine makes all rows before a longer interval has passed
        done = self.limited(6000000, "--flush-interval", "1e-6", "--output-interval", "2e-5")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("a.h5: cannot be written: File too large", done.stderr)
        self.assertNotIn("Written", done.stdout)
        self.assertEqual([p.name for p in self.folder.glob("*.part")], [])
        with h5py.File(self.path("a.h5"), "r") as run:
            self.assertEqual(text(run.attrs["status"]), "running")
            self.assertGreater(len(run["time"]), 1)
            self.assertEqual(len(run["position"]), len(run["time"]))


if __name__ == "__main__":
    unittest.main()
