# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""The progress bar (on a terminal only) and Ctrl-C."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from support import PROGRAM, TIMEOUT, CommandLineTest, read_csv

BAR = re.compile(r"\r *\d+ % \[#* *\] t = \S+ of 1e\+06 s, [^\r]* left")
ERASED = "\r\x1b[K"


class LongRun(CommandLineTest):
    """A run to t = 1e6 s, which nobody waits for."""

    def start(self, *arguments, stderr=subprocess.PIPE, environment=None):
        process = subprocess.Popen([PROGRAM, "run", self.model, "--t-end", "1e6", *arguments],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr,
                                   env={**os.environ, "TERM": "xterm", **(environment or {})})
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def interrupt(self, process, number=signal.SIGINT, after=1.0):
        time.sleep(after)
        self.assertIsNone(process.poll(), "the run ended too early")
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=TIMEOUT)
        return stdout.decode(), stderr.decode() if stderr else ""

    def watch_terminal(self, *arguments, seconds=1.5, environment=None):
        """What the run shows on a terminal until Ctrl-C, and after it."""
        try:
            terminal, other_end = pty.openpty()
        except OSError as reason:  # a container without /dev/pts
            self.skipTest(f"no pseudo-terminal here: {reason}")
        process = self.start(*arguments, stderr=other_end, environment=environment)
        os.close(other_end)
        shown = b""
        end = time.monotonic() + seconds
        sent = False
        while True:
            if not sent and time.monotonic() > end:
                process.send_signal(signal.SIGINT)
                sent = True
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    data = os.read(terminal, 65536)
                except OSError:  # the program has closed its end
                    break
                shown += data
        process.communicate(timeout=TIMEOUT)
        os.close(terminal)
        return shown.decode()


# Nothing acts on it: one step goes to the end, whatever the number of output points.
FREE = """\
trammel: 1
bodies: {stone: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}
"""


class Interrupt(LongRun):
    def test_between_the_output_points_of_a_step(self):
        self.model = self.write("free.yaml", FREE)
        process = self.start("--output-interval", "0.02", "--json", "-o", self.path("a.csv"))
        start = time.monotonic()
        stdout, _ = self.interrupt(process)
        self.assertEqual(process.returncode, 2)
        # all of the fifty million points would take minutes and gigabytes
        self.assertLess(time.monotonic() - start, 60)
        summary = json.loads(stdout)
        self.assertEqual(summary["status"], "interrupted")
        rows = read_csv(self.path("a.csv"))[1]
        self.assertGreater(len(rows), 32)
        self.assertEqual(rows[-1][0], summary["t"])
        self.assertEqual(rows[-1][1], summary["final"]["stone"]["position"][0])
        for k in range(1, len(rows)):  # without a gap
            self.assertAlmostEqual(rows[k][0] - rows[k - 1][0], 0.02, places=6)

    def test_a_closed_terminal_is_not_the_end_of_nohup(self):
        process = subprocess.Popen([PROGRAM, "run", self.model, "--t-end", "1e6", "-q"],
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.addCleanup(self.stop, process)
        time.sleep(0.5)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertIsNone(process.poll())

    def test_keeps_what_was_computed(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start("--json", "--output-interval", "2", "-o", self.path("a.csv"),
                                 "-o", self.path("a.json"))
            stdout, stderr = self.interrupt(process, number)
            self.assertEqual(process.returncode, 2)
            summary = json.loads(stdout)
            self.assertEqual(summary["status"], "interrupted")
            self.assertTrue(0 < summary["t"] < 1e6)
            self.assertIn("trammel: did not finish: ", stderr)
            self.assertEqual(json.loads((self.folder / "a.json").read_text()), summary)
            rows = read_csv(self.path("a.csv"))[1]
            self.assertGreater(len(rows), 1)
            self.assertAlmostEqual(rows[-1][0], summary["t"], delta=2.0)
            self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                             ["a.csv", "a.json", "pendulum.yaml"])

    def test_the_second_one_kills(self):
        os.mkfifo(self.path("a.csv"))  # nobody reads it: the program waits with its results
        process = self.start("-o", self.path("a.csv"))
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        time.sleep(1.0)
        self.assertIsNone(process.poll(), "the first one was not caught")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=TIMEOUT), -signal.SIGINT)


class Progress(LongRun):
    def test_none_in_a_pipe(self):
        _, stderr = self.interrupt(self.start())
        self.assertNotIn("%", stderr)
        self.assertNotIn("\r", stderr)
        self.assertEqual(stderr.count("\n"), 1, stderr)

    def test_on_a_terminal_a_few_times_a_second_and_erased_at_the_end(self):
        shown = self.watch_terminal()
        drawn = len(BAR.findall(shown))
        self.assertGreaterEqual(drawn, 2, shown)
        self.assertLessEqual(drawn, 25, shown)
        self.assertRegex(shown, re.escape(ERASED) + r"trammel: did not finish: [^\r]*\r\n\Z")

    def test_not_when_quiet_nor_on_a_dumb_terminal(self):
        self.assertNotIn("%", self.watch_terminal("-q", seconds=1))
        self.assertNotIn("%", self.watch_terminal(seconds=1, environment={"TERM": "dumb"}))


if __name__ == "__main__":
    unittest.main()
