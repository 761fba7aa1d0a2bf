# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""A run that dies leaves an HDF5 file that opens, with complete rows only: stopped hard at every
single write of a short run, whole and torn, and killed at random moments of a long one."""
import os
import random
import shutil
import signal
import subprocess
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy

from support import MODELS, PROGRAM, TIMEOUT, CommandLineTest

SHIM = os.environ["TRAMMEL_STOP_AT_WRITE"]
STOPPED = 99


def read_rows(path):
    """Status and all tables over time; fails unless they have the same number of rows."""
    with h5py.File(path, "r") as run:
        rows = len(run["time"])
        tables = {}
        for name, item in run.items():
            if isinstance(item, h5py.Dataset) and "unit" in item.attrs:
                assert len(item) == rows, (name, len(item), rows)
                tables[name] = item[:]
        assert len({len(run["steps"][name]) for name in run["steps"]}) == 1
        return run.attrs["status"].decode("utf-8"), tables


class EveryWrite(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.arguments = ["--t-end", "0.03", "--output-interval", "0.01", "--max-step", "0.01",
                          "--flush-interval", "1e-9", "-q"]
        self.trammel("run", self.model, *self.arguments, "-o", self.path("whole.h5"))
        status, self.whole = read_rows(self.path("whole.h5"))
        self.assertEqual(status, "finished")
        self.assertEqual(len(self.whole["time"]), 4)
        # what was there before: another run
        self.trammel("run", self.model, "-q", "--t-end", "0.5", "-o", self.path("old.h5"))
        self.old = (self.folder / "old.h5").read_bytes()

    def stop(self, k, half, old):
        """Exit status of a run that is stopped at its k-th write, and its file."""
        folder = self.folder / f"{k}-{half}-{old}"
        folder.mkdir()
        path = folder / "run.h5"
        if old:
            shutil.copy(self.folder / "old.h5", path)
        done = subprocess.run([PROGRAM, "run", self.model, *self.arguments, "-o", str(path)],
                              env={**os.environ, "LD_PRELOAD": SHIM, "STOP_AT": str(k),
                                   "STOP_HALF": str(half),
                                   "ASAN_OPTIONS": "verify_asan_link_order=0"},
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT,
                              check=False)
        return done.returncode, path

    def check(self, path, old):
        """How many rows of the run the file has; None: it is the old one, or there is none."""
        if not path.exists():
            self.assertFalse(old)
            return None
        if old and path.read_bytes() == self.old:
            return None
        status, tables = read_rows(path)
        rows = len(tables["time"])
        for name, values in tables.items():
            self.assertEqual(values.tobytes(), self.whole[name][:rows].tobytes(), name)
        self.assertEqual(tables.keys(), self.whole.keys())
        if rows < 4:
            self.assertEqual(status, "running")
        return rows

    def test_stopped_at_every_write(self):
        seen = {}
        with ThreadPoolExecutor(max_workers=2) as pool:
            for half, old in ((0, True), (1, True)):
                k, ended = 1, False
                while not ended:
                    block = range(k, k + 16)
                    for at, (status, path) in zip(block, pool.map(
                            lambda at, half=half, old=old: self.stop(at, half, old), block)):
                        self.assertIn(status, (STOPPED, 0))
                        rows = self.check(path, old)
                        ended = ended or status == 0
                        if status == STOPPED:
                            seen.setdefault(half, []).append(rows)
                        else:
                            self.assertEqual(rows, 4)
                    k = block.stop
        for rows in seen.values():
            # the first write and the rename that publishes it; from then on it is this run's
            self.assertEqual(rows[:2], [None, None])
            self.assertNotIn(None, rows[2:])
            self.assertEqual(rows[2:], sorted(rows[2:]))
            self.assertEqual(set(rows[2:]), {1, 2, 3, 4}.intersection(rows[2:]))
            self.assertGreaterEqual(len(set(rows[2:])), 3)
            self.assertGreater(len(rows), 100)

    def test_without_an_old_file_there_is_none_or_a_whole_one(self):
        for k in range(1, 8):
            status, path = self.stop(k, 1, False)
            self.assertEqual(status, STOPPED)
            rows = self.check(path, False)
            self.assertEqual(rows, None if k <= 2 else 1)


class Killed(CommandLineTest):
    def start(self, path):
        return subprocess.Popen([PROGRAM, "run", self.model, "--t-end", "1e6", "--output-interval",
                                 "0.05", "--flush-interval", "0.005", "-q", "-o", path],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def wait_for(self, path):
        end = time.monotonic() + TIMEOUT
        while not os.path.exists(path):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.005)

    def test_at_twenty_random_moments(self):
        moments = random.Random(6)
        most = 0
        for k in range(20):
            path = self.path(f"{k}.h5")
            process = self.start(path)
            self.wait_for(path)
            time.sleep(moments.uniform(0.0, 0.25))
            process.send_signal(signal.SIGKILL)
            self.assertEqual(process.wait(timeout=TIMEOUT), -signal.SIGKILL)
            status, tables = read_rows(path)
            self.assertEqual(status, "running")
            t = tables["time"]
            self.assertTrue(numpy.all(numpy.diff(t) > 0))
            self.assertTrue(numpy.allclose(t, 0.05 * numpy.arange(len(t))))
            norms = numpy.linalg.norm(tables["orientation"], axis=2)
            self.assertTrue(numpy.allclose(norms, 1.0, atol=1e-12))
            most = max(most, len(t))
            done = self.trammel("export", path, "-o", self.path("a.csv"))
            self.assertEqual(done.returncode, 0, done.stderr)
            for left in self.folder.glob("*.h5*"):
                left.unlink()
        self.assertGreater(most, 100)

    def test_a_reader_sees_one_state_while_the_run_goes_on(self):
        path = self.path("run.h5")
        process = self.start(path)
        try:
            self.wait_for(path)
            time.sleep(0.1)
            with h5py.File(path, "r") as run:
                before = run["position"][:]
                time.sleep(0.1)
                self.assertEqual(run["position"][:].tobytes(), before.tobytes())
                self.assertEqual(len(run["time"]), len(before))
            # the file grows; when, depends on how busy the machine is
            deadline = time.monotonic() + TIMEOUT
            while len(read_rows(path)[1]["time"]) <= len(before):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
        finally:
            process.kill()
            process.wait()


class Implicit(CommandLineTest):
    """The governor, whose steps `auto` makes implicit: killed or interrupted, its rows are those of the
    whole run."""

    OPTIONS = ("--t-end", "400", "--output-interval", "0.1", "-q")

    def setUp(self):
        super().setUp()
        self.model = str(MODELS / "gallery" / "flyball_governor.yaml")

    def stop(self, path, number):
        process = subprocess.Popen([PROGRAM, "run", self.model, *self.OPTIONS, "--flush-interval",
                                    "0.005", "-o", path], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + TIMEOUT
        while not os.path.exists(path) or len(read_rows(path)[1]["time"]) < 10:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.005)
        process.send_signal(number)
        process.wait(timeout=TIMEOUT)
        return process.returncode

    def test_rows_are_those_of_the_whole_run(self):
        parts = {}
        for number, status, code in ((signal.SIGKILL, "running", -signal.SIGKILL),
                                     (signal.SIGINT, "interrupted", 2)):
            path = self.path(f"{number}.h5")
            self.assertEqual(self.stop(path, number), code)
            found, parts[number] = read_rows(path)
            self.assertEqual(found, status)
        rows = max(len(tables["time"]) for tables in parts.values())
        self.assertLess(rows, 4001)
        whole = self.path("whole.h5")
        done = self.trammel("run", self.model, *self.OPTIONS, "-o", whole)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(whole, "r") as run:
            statistics = run["statistics"].attrs
            self.assertGreater(statistics["steps_of_order_13"], 0)
        tables = read_rows(whole)[1]
        for number, part in parts.items():
            # where the run is interrupted is a row of its own
            n = len(part["time"]) - (number == signal.SIGINT)
            for name in ("time", "position", "orientation", "velocity", "reaction_force"):
                self.assertEqual(part[name][:n].tobytes(), tables[name][:n].tobytes(), name)


if __name__ == "__main__":
    unittest.main()
