# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the work–precision curves of a folder as SVG, one picture a model: error against CPU.

Usage: plots.py FOLDER    reads medians.csv of that folder (tables.py), writes MODEL.svg into it
"""
import csv
import math
import sys
from collections import defaultdict
from pathlib import Path

WIDTH, HEIGHT = 860, 460
LEFT, RIGHT, TOP, BOTTOM = 70, 370, 30, 50
COLOURS = ("#0b5394", "#cc4125", "#38761d", "#7f6000", "#674ea7", "#45818e", "#a64d79", "#444444",
           "#e69138", "#999999")


class LogAxis:
    """Powers of ten of a range, laid out from one pixel to another."""

    def __init__(self, values, begin, end):
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.high = max(self.high, self.low + 1)
        self.begin, self.end = begin, end

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        step = 1 if self.high - self.low <= 8 else 2
        return [10.0 ** k for k in range(self.low, self.high + 1, step)]


def read_lines(path):
    """model -> (program, method) -> [(cpu, error)]"""
    models = defaultdict(lambda: defaultdict(list))
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cpu, error = float(row["cpu_s"]), float(row["error_m"])
            if cpu > 0 and 0 < error < 10:  # others have failed
                models[row["model"]][row["program"], row["method"]].append((cpu, error))
    return models


def make_text(x, y, text, anchor="middle", colour="#222", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" {extra}>'
            f"{text}</text>")


def make_grid(across, up):
    parts = []
    for value in across.ticks():
        x = across.place(value)
        parts.append(f'<path d="M{x:.1f} {up.begin}V{up.end}" stroke="#ddd"/>')
        parts.append(make_text(x, up.begin + 18, f"{1e3 * value:g}"))
    for value in up.ticks():
        y = up.place(value)
        parts.append(f'<path d="M{across.begin} {y:.1f}H{across.end}" stroke="#ddd"/>')
        parts.append(make_text(across.begin - 8, y + 4, f"{value:.0e}", "end"))
    return parts


def draw(model, lines):
    points = [point for line in lines.values() for point in line]
    across = LogAxis([cpu for cpu, _ in points], LEFT, WIDTH - RIGHT)
    up = LogAxis([error for _, error in points], HEIGHT - BOTTOM, TOP)
    parts = make_grid(across, up)
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(make_text(middle, 18, f"{model}: error (m) against CPU (ms)", extra='font-weight="bold"'))
    for k, ((program, method), line) in enumerate(lines.items()):
        colour = COLOURS[k % len(COLOURS)]
        dash = "" if k < len(COLOURS) else ' stroke-dasharray="4 3"'
        path = " ".join(f"{across.place(cpu):.1f},{up.place(error):.1f}" for cpu, error in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
        parts += [f'<circle cx="{across.place(cpu):.1f}" cy="{up.place(error):.1f}" r="2.2" '
                  f'fill="{colour}"/>' for cpu, error in line]
        parts.append(make_text(WIDTH - RIGHT + 14, TOP + 12 + 18 * k, f"{program}: {method}", "start",
                               colour))
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="sans-serif" font-size="11">\n<rect width="{WIDTH}" height="{HEIGHT}" '
            f'fill="white"/>\n{body}\n</svg>\n')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    for model, lines in read_lines(folder / "medians.csv").items():
        name = model.replace(" ", "_").replace("=", "")
        (folder / f"{name}.svg").write_text(draw(model, lines), encoding="utf-8")


if __name__ == "__main__":
    main()
