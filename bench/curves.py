# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Work–precision curves from the raw points that the bench programs write.

A curve is a list of points from coarse to fine settings, each the medians over the perturbed starts.
CPU at a given error is read off it by log-log interpolation.
"""
import csv
import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import median


TOO_LONG = 8.0  # s: after a run of that length the peers' programs try nothing finer (peer_bench.cpp)


@dataclass
class Point:
    setting: float
    error: float  # m
    cpu: float  # s
    evaluations: float
    violation: float  # the largest of all starts
    starts: int


def read_rows(paths):
    rows = []
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            rows += csv.DictReader(file)
    return rows


def group_by_line(rows):
    """(model, program, method) -> its rows, in the order of the files."""
    lines = defaultdict(list)
    for row in rows:
        lines[row["model"], row["program"], row["method"]].append(row)
    return dict(lines)


def list_starts(rows):
    return {row["start"] for row in rows}


def make_curve(rows, starts=None):
    """The medians of one line by setting; `starts`: only these, to compare with a line that has few."""
    by_setting = defaultdict(list)
    for row in rows:
        if starts is None or row["start"] in starts:
            by_setting[float(row["setting"])].append(row)
    most = max((len(of) for of in by_setting.values()), default=0)
    curve = []
    for setting, of in sorted(by_setting.items(), reverse=True):
        if 2 * len(of) < most:
            continue  # most starts had reached their aim before: those left are no median
        column = {name: [float(row[name]) for row in of]
                  for name in ("error_m", "cpu_s", "evaluations", "violation")}
        curve.append(Point(setting, median(column["error_m"]), median(column["cpu_s"]),
                           median(column["evaluations"]), max(column["violation"]), len(of)))
    return curve


def find_at(curve, error):
    """(cpu, evaluations) where the curve reaches this error the cheapest; None if it never does.

    Between two settings log-log; a curve that starts below the error is not extrapolated: its coarsest
    point counts.
    """
    found = []
    for a, b in zip(curve, curve[1:]):
        if a.error > error >= b.error:
            x = math.log(a.error / error) / math.log(a.error / b.error)
            found.append((_between(a.cpu, b.cpu, x), _between(a.evaluations, b.evaluations, x)))
    found += [(p.cpu, p.evaluations) for p in curve if p.error <= error]
    return min(found, default=None)


def find_bound(curve, error):
    """Where the bench itself has stopped a line before this error: the CPU that was not enough.

    None where the line has been given all its settings, so that it is the program that does not get there.
    """
    stopped = curve and curve[-1].cpu > TOO_LONG and find_at(curve, error) is None
    return curve[-1].cpu if stopped else None


def _between(a, b, x):
    return a ** (1 - x) * b ** x if a > 0 and b > 0 else a
