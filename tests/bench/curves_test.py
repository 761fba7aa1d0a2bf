# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reading a cost off a work–precision curve (bench/curves.py)."""
import os
import sys
import unittest

sys.path.insert(0, os.environ["TRAMMEL_BENCH"])
import curves  # noqa: E402


def make_rows(points, start=0):
    return [{"model": "m", "program": "p", "method": "q", "setting": str(setting), "start": str(start),
             "error_m": str(error), "cpu_s": str(cpu), "evaluations": str(evaluations),
             "violation": "0"} for setting, error, cpu, evaluations in points]


class Curves(unittest.TestCase):
    STRAIGHT = [(1e-3, 1e-2, 1.0, 100), (1e-5, 1e-6, 4.0, 400)]

    def test_straight_in_logarithms(self):
        cpu, evaluations = curves.find_at(curves.make_curve(make_rows(self.STRAIGHT)), 1e-4)
        self.assertAlmostEqual(cpu, 2.0)
        self.assertAlmostEqual(evaluations, 200.0)

    def test_not_extrapolated(self):
        curve = curves.make_curve(make_rows(self.STRAIGHT))
        self.assertIsNone(curves.find_at(curve, 1e-7))
        self.assertEqual(curves.find_at(curve, 1.0), (1.0, 100.0))

    def test_stopped_by_the_bench_is_not_never(self):
        stopped = [(1e-3, 1e-2, 1.0, 1), (1e-4, 1e-6, 9.0, 2)]
        self.assertEqual(curves.find_bound(curves.make_curve(make_rows(stopped)), 1e-8), 9.0)
        self.assertIsNone(curves.find_bound(curves.make_curve(make_rows(stopped)), 1e-5))
        self.assertIsNone(curves.find_bound(curves.make_curve(make_rows(self.STRAIGHT)), 1e-8))

    def test_cheapest_where_errors_go_up_and_down(self):
        up_and_down = [(1e-3, 1e-2, 1.0, 1), (1e-4, 1e-6, 2.0, 2), (1e-5, 1e-3, 3.0, 3),
                       (1e-6, 1e-7, 4.0, 4)]
        cpu, _ = curves.find_at(curves.make_curve(make_rows(up_and_down)), 1e-6)
        self.assertAlmostEqual(cpu, 2.0)

    def test_medians_over_starts(self):
        rows = [row for start, error in enumerate((1e-3, 1e-5, 1e-4))
                for row in make_rows([(1e-3, error, 1.0, 1)], start)]
        self.assertEqual(curves.make_curve(rows)[0].error, 1e-4)
        self.assertEqual(curves.make_curve(rows, {"1"})[0].error, 1e-5)

    def test_settings_that_few_starts_reached_are_left_out(self):
        rows = [row for start in range(3) for row in make_rows([(1e-3, 1e-3, 1.0, 1)], start)]
        rows += make_rows([(1e-4, 1e-4, 2.0, 2)], 0)
        self.assertEqual([p.setting for p in curves.make_curve(rows)], [1e-3])


if __name__ == "__main__":
    unittest.main()
