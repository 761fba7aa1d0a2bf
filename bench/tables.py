# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what the bench has measured as Markdown, and writes the medians as CSV.

Usage: tables.py FOLDER    reads work_precision.csv, scaling.csv, costs.csv and the peers' files of that
                           folder
"""
import csv
import math
import sys
from pathlib import Path

import curves

ERRORS = (1e-4, 1e-6, 1e-8)  # m
PAPER = ("pendulum", "quadrangle", "crank")
STIFF = "governor"
OWN = "trammel"
LIMIT = "one coordinate"
EVALUATION = "evaluation, us/body"
SOLVE = "factor and solve, us/body"


def print_table(title, header, rows):
    if not rows:
        return
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
    return f"{ratio:.0f}" if ratio >= 20 else f"{ratio:.3g}" if ratio >= 1 else f"{ratio:.2g}"


class Ratio:
    """Of CPU times. value None: the program never gets there. is_bound: the bench stopped it before."""

    def __init__(self, value, is_bound=False):
        self.value, self.is_bound = value, is_bound

    def __str__(self):
        if self.value is None:
            return "never"
        return ("> " if self.is_bound else "") + format_ratio(self.value)

    def is_at_least(self, least):
        return self.value is None or self.value >= least


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

    def find_ratio(self, model, program, error, only=None):
        """CPU of the program's best line (or of the method `only`) over that of our best line, on the
        starts that both have run."""
        ratios, bounds = [], []
        for method in [only] if only else self.list_methods(model, program):
            of = self.lines[model, program, method]
            curve = curves.make_curve(of)
            ours = self.find_best(model, OWN, error, curves.list_starts(of))
            theirs, bound = curves.find_at(curve, error), curves.find_bound(curve, error)
            if ours is None:
                return Ratio(math.nan)
            if theirs:
                ratios.append(theirs[0] / ours[0])
            elif bound:
                bounds.append(bound / ours[0])
        if ratios:
            return Ratio(min(ratios))
        return Ratio(min(bounds), is_bound=True) if bounds else Ratio(None)


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
    for model in precision.models:
        for program in precision.list_programs(model):
            if program == OWN:
                continue
            rows.append([model, program] +
                        [str(precision.find_ratio(model, program, error)) for error in ERRORS])
    print_table("### CPU of the best line of each program over that of our best line, equal error",
                ["model", "program"] + [f"{e:.0e} m" for e in ERRORS], rows)


def print_reactions(precision):
    """What reactions at every output point add, at equal error."""
    rows = []
    for model in precision.models:
        asked = f"{model} with reactions"
        if asked not in precision.models:
            continue
        for program in precision.list_programs(asked):
            for method in precision.list_methods(asked, program):
                line = (model, program, method)
                starts = curves.list_starts(precision.lines[asked, program, method])
                pairs = [(precision.find(line, e, starts), precision.find((asked, *line[1:]), e))
                         for e in ERRORS]
                rows.append([model, program, method] +
                            ["–" if None in pair else
                             f"{1e3 * pair[0][0]:.3g} → {1e3 * pair[1][0]:.3g}" for pair in pairs])
    print_table("### CPU in ms without output → with all reactions every 0.01 s, equal error",
                ["model", "program", "method"] + [f"{e:.0e} m" for e in ERRORS], rows)


def print_targets(precision):
    """The targets of the speed work, as far as ratios of curves decide them."""
    rows = []

    def add(model, what, error, value, target, met):
        rows.append([model, what, f"{error:.0e} m", str(value), target, "met" if met else "not met"])

    for model in (m for m in PAPER if m in precision.models):
        programs = precision.list_programs(model)
        for program, least in (("Simbody tree", 100), ("SUNDIALS", 5 if model == "pendulum" else 8)):
            for error in ERRORS if program in programs else ():
                ratio = precision.find_ratio(model, program, error)
                add(model, f"{program} / ours", error, ratio, f"≥ {least}",
                    ratio.is_at_least(least))
        for error, most in zip(ERRORS, (10, 6, 7)) if LIMIT in programs else ():
            ratio = 1 / precision.find_ratio(model, LIMIT, error).value
            add(model, f"ours / {LIMIT}", error, Ratio(ratio), f"≤ {most}", ratio <= most)
    for program, method, least in (("Simbody tree", "CPodes BDF", 4), ("SUNDIALS", "CVODE BDF", 12)):
        if (STIFF, program, method) in precision.lines:
            ratio = precision.find_ratio(STIFF, program, 1e-6, method)
            add(STIFF, f"{method} / ours", 1e-6, ratio, f"≥ {least}", ratio.is_at_least(least))
    if (STIFF, OWN, "radau") in precision.lines:
        for error, most in zip(ERRORS, (25, 30, 40)):
            found = precision.find((STIFF, OWN, "radau"), error)
            if found:
                add(STIFF, "radau, CPU in ms", error, format_ratio(1e3 * found[0]), f"≤ {most}",
                    1e3 * found[0] <= most)
        found = precision.find((STIFF, OWN, "radau"), 1e-6)
        if found:
            add(STIFF, "radau, evaluations", 1e-6, f"{found[1]:.0f}", "≤ 4500", found[1] <= 4500)
    print_table("### Targets", ["model", "what", "error", "measured", "target", ""], rows)
    violations = [float(row["violation"]) for (_, program, _), of in precision.lines.items()
                  if program == OWN for row in of]
    if violations:
        print(f"\nOur largest violation in all runs: {max(violations):.1e}.")


# ---- growth with the number of bodies

class Scaling:
    def __init__(self, rows):
        self.values = {}
        for row in rows:
            key = (row["family"], row["program"], row["quantity"])
            self.values.setdefault(key, {})[int(row["bodies"])] = float(row["value"])

    def list_keys(self, quantity):
        return [key for key in self.values if key[2] == quantity]

    def find(self, family, program, quantity, bodies):
        """The value at the size nearest to `bodies`, within 30 %; None where there is none."""
        by_size = self.values.get((family, program, quantity), {})
        near = [n for n in by_size if abs(math.log(n / bodies)) < 0.3]
        return by_size[min(near, key=lambda n: abs(n - bodies))] if near else None


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


def print_scaling_targets(scaling):
    rows = []

    def add(what, value, base, most):
        if value is not None and base is not None:
            rows.append([what, format_ratio(value / base), f"≤ {most:.3g}",
                         "met" if value / base <= most else "not met"])

    def evaluation(family, program, bodies):
        return scaling.find(family, program, EVALUATION, bodies)

    chain = evaluation("chain", OWN, 1000)
    add("chain, 100,000 bodies / 1,000", evaluation("chain", OWN, 100_000), chain, 1.3)
    add("chain, 1,000,000 bodies / 1,000", evaluation("chain", OWN, 1_000_000), chain, 2)
    add("chain of 1,000, ours / Simbody tree", chain, evaluation("chain", "Simbody tree", 1000), 1 / 3)
    add("chain of 1,000, ours / DART tree", chain, evaluation("chain", "DART tree", 1000), 1)
    for family in ("revolute chain", "tree", "ladder"):
        add(f"{family} / chain, 1,000 bodies", evaluation(family, OWN, 1000), chain, 3)
    for bodies in (1000, 10_000, 100_000):
        ours = scaling.find("net", OWN, SOLVE, bodies)
        for program in ("Eigen SimplicialLDLT", "CHOLMOD simplicial", "CHOLMOD supernodal"):
            add(f"net of {bodies:,}, factor and solve, ours / {program}", ours,
                scaling.find("net", program, SOLVE, bodies), 1)
    for family in ("chain", "revolute chain", "tree", "ladder"):
        exponent = calc_exponent(scaling.values.get((family, OWN, EVALUATION), {}))
        add(f"growth exponent, {family}", exponent, 1, 1.05)
    print_table("### Targets for large systems", ["what", "measured", "target", ""], rows)


# ---- evaluations of small models, set-up

def print_costs(scaling):
    for quantity, title in (("evaluation, us", "One evaluation, µs"),
                            ("set-up, ms", "Set-up, ms")):
        keys = scaling.list_keys(quantity)
        programs = list(dict.fromkeys(program for _, program, _ in keys))
        sizes = dict.fromkeys((family, bodies) for family, _, _ in keys
                              for program in programs
                              for bodies in scaling.values.get((family, program, quantity), {}))
        rows = []
        for family, bodies in sizes:
            values = [scaling.values.get((family, p, quantity), {}).get(bodies) for p in programs]
            rows.append([family, f"{bodies:,}"] +
                        ["" if v is None else f"{v:.3g}" for v in values])
        print_table(f"### {title}", ["model", "bodies"] + programs, rows)


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
    scaling_files = [p for p in (folder / "costs.csv", folder / "scaling.csv",
                                 *sorted(folder.glob("peer_*_chain.csv"))) if p.exists()]
    precision_files = [p for p in (folder / "work_precision.csv", *sorted(folder.glob("peer_*.csv")))
                       if p.exists() and p not in scaling_files]
    if precision_files:
        precision = Precision(curves.read_rows(precision_files))
        print_precision(precision)
        print_ratios(precision)
        print_reactions(precision)
        print_targets(precision)
        write_medians(precision, folder / "medians.csv")
    if scaling_files:
        scaling = Scaling(curves.read_rows(scaling_files))
        print_costs(scaling)
        print_scaling(scaling)
        print_scaling_targets(scaling)


if __name__ == "__main__":
    main()
