# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what the bench has measured as Markdown, and writes the medians as CSV.

Usage: tables.py FOLDER    reads work_precision.csv, scaling.csv and the peers' files of that folder
"""
import csv
import math
import sys
from pathlib import Path

import curves

ERRORS = (1e-4, 1e-6, 1e-8)  # m
PAPER = ("pendulum", "quadrangle", "crank")
OWN = "trammel"
LIMIT = "one coordinate"
EVALUATION = "evaluation, us/body"
SOLVE = "factor and solve, us/body"


def print_table(title, header, rows):
    print(f"\n{title}\n\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def format_cost(found):
    """"4.1 ms = 7800 × 0.52 µs": what a run costs, split into method and kernel."""
    if found is None:
        return "–"
    cpu, evaluations = found
    if not evaluations:
        return f"{1e3 * cpu:.3g} ms"
    return f"{1e3 * cpu:.3g} ms = {evaluations:.0f} × {1e6 * cpu / evaluations:.3g} µs"


def format_ratio(ratio):
    return f"{ratio:.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2g}"


class Precision:
    """All lines of a run by model."""

    def __init__(self, rows):
        self.lines = curves.group_by_line(rows)
        self.models = list(dict.fromkeys(model for model, _, _ in self.lines))

    def list_programs(self, model):
        return list(dict.fromkeys(p for m, p, _ in self.lines if m == model))

    def list_methods(self, model, program):
        return [method for m, p, method in self.lines if (m, p) == (model, program)]

    def find(self, line, error, starts=None):
        return curves.find_at(curves.make_curve(self.lines[line], starts), error)

    def find_best(self, model, program, error, starts=None):
        found = [self.find((model, program, method), error, starts)
                 for method in self.list_methods(model, program)]
        return min((f for f in found if f is not None), default=None)

    def find_ratio(self, model, program, error):
        """CPU of the program's best line over that of ours, on the starts that both have run.

        None: the program never gets there. math.nan: we do not.
        """
        ratios = []
        for method in self.list_methods(model, program):
            line = (model, program, method)
            starts = curves.list_starts(self.lines[line])
            theirs = self.find(line, error)
            ours = self.find_best(model, OWN, error, starts)
            if theirs and ours:
                ratios.append(theirs[0] / ours[0])
            elif theirs:
                return math.nan
        return min(ratios, default=None)


def print_precision(precision):
    for model in precision.models:
        rows = []
        for (m, program, method), of in precision.lines.items():
            if m != model:
                continue
            curve = curves.make_curve(of)
            rows.append([program, method, str(max(p.starts for p in curve))] +
                        [format_cost(curves.find_at(curve, error)) for error in ERRORS])
        print_table(f"### {model}: CPU at an error = evaluations × time per evaluation",
                    ["program", "method", "starts"] + [f"{e:.0e} m" for e in ERRORS], rows)


def print_ratios(precision):
    rows = []
    for model in PAPER:
        for program in precision.list_programs(model) if model in precision.models else ():
            if program == OWN:
                continue
            cells = []
            for error in ERRORS:
                ratio = precision.find_ratio(model, program, error)
                cells.append("never" if ratio is None else format_ratio(ratio))
            rows.append([model, program] + cells)
    print_table("### CPU of the best line of each program over that of our best line, equal error",
                ["model", "program"] + [f"{e:.0e} m" for e in ERRORS], rows)


def print_targets(precision):
    """The targets of the speed work, as far as ratios of curves decide them."""
    rows = []

    def add(model, what, error, value, target, met):
        text = "never reached" if value is None else format_ratio(value)
        rows.append([model, what, f"{error:.0e} m", text, target, "met" if met else "not met"])

    for model in PAPER:
        programs = precision.list_programs(model)
        for program, least in (("Simbody tree", 100), ("SUNDIALS", 5 if model == "pendulum" else 8)):
            for error in ERRORS if program in programs else ():
                ratio = precision.find_ratio(model, program, error)
                add(model, f"{program} / ours", error, ratio, f"≥ {least}",
                    ratio is None or ratio >= least)
        for error, most in zip(ERRORS, (10, 6, 7)) if LIMIT in programs else ():
            ratio = precision.find_ratio(model, LIMIT, error)
            add(model, f"ours / {LIMIT}", error, 1 / ratio, f"≤ {most}", 1 / ratio <= most)
    worst = max(float(row["violation"]) for (_, program, _), of in precision.lines.items()
                if program == OWN for row in of)
    print_table("### Targets", ["model", "what", "error", "measured", "target", ""], rows)
    print(f"\nOur largest violation in all runs: {worst:.1e}.")


# ---- growth with the number of bodies

class Scaling:
    def __init__(self, rows):
        self.values = {}
        for row in rows:
            key = (row["family"], row["program"], row["quantity"])
            self.values.setdefault(key, {})[int(row["bodies"])] = float(row["value"])

    def list_keys(self, quantity):
        return [key for key in self.values if key[2] == quantity]


def calc_exponent(by_size):
    """p of cost ~ N^p, least squares over the sizes from about 1000 bodies on."""
    points = [(math.log(n), math.log(n * cost)) for n, cost in by_size.items() if n >= 900]
    if len(points) < 2:
        return None
    mean_x, mean_y = (sum(v) / len(points) for v in zip(*points))
    return (sum((x - mean_x) * (y - mean_y) for x, y in points) /
            sum((x - mean_x) ** 2 for x, _ in points))


def print_scaling(scaling):
    decades = [10 ** k for k in range(1, 7)]

    def cells(by_size, form):
        nearest = {round(math.log10(n)): value for n, value in by_size.items()}
        return [form.format(nearest[k]) if k in nearest else "" for k in range(1, 7)]

    for quantity, form in ((EVALUATION, "{:.3f}"), (SOLVE, "{:.2f}"), ("rows, us/body", "{:.3f}"),
                           ("factor, us/body", "{:.3f}"), ("distribution, us/body", "{:.3f}"),
                           ("projection, us/body", "{:.3f}"), ("compile, us/body", "{:.1f}"),
                           ("system, bytes/body", "{:.0f}"), ("workspace, bytes/body", "{:.0f}")):
        rows = []
        for key in scaling.list_keys(quantity):
            by_size = scaling.values[key]
            exponent = calc_exponent(by_size)
            rows.append([key[0], key[1]] + cells(by_size, form) +
                        ["" if exponent is None else f"{exponent:.2f}"])
        if rows:
            print_table(f"### {quantity.replace('us', 'µs')}, by number of bodies",
                        ["family", "program"] + [f"{n:,}" for n in decades] + ["exponent"], rows)


# ---- medians, to be kept

def write_medians(precision, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["model", "program", "method", "setting", "starts", "error_m", "cpu_s",
                         "evaluations", "us_per_evaluation", "violation"])
        for line, of in precision.lines.items():
            for p in curves.make_curve(of):
                each = f"{1e6 * p.cpu / p.evaluations:.3g}" if p.evaluations else ""
                writer.writerow([*line, f"{p.setting:g}", p.starts, f"{p.error:.3e}",
                                 f"{p.cpu:.4e}", f"{p.evaluations:.0f}", each, f"{p.violation:.1e}"])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    scaling_files = [p for p in (folder / "scaling.csv", *sorted(folder.glob("peer_*_chain.csv")))
                     if p.exists()]
    precision_files = [p for p in (folder / "work_precision.csv", *sorted(folder.glob("peer_*.csv")))
                       if p.exists() and p not in scaling_files]
    if precision_files:
        precision = Precision(curves.read_rows(precision_files))
        print_precision(precision)
        print_ratios(precision)
        print_targets(precision)
        write_medians(precision, folder / "medians.csv")
    if scaling_files:
        print_scaling(Scaling(curves.read_rows(scaling_files)))


if __name__ == "__main__":
    main()
