#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the pictures of README.md and docs/ with `trammel render`, into docs/pictures (make pictures).

The drawings are stored in fewer bytes: polygons and lines of one style become one path, in tenths of a pixel.
Usage: make_pictures.py PROGRAM [--check] [NAME ...]
--check writes nothing and lists the pictures that are not what the program draws now, exit status 1. A last
digit that another processor rounds differently is no difference: where the texts differ, rsvg-convert makes
pixels of both, and these are compared.
"""
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/pictures"
SMALL = "--size 400"

# picture: model, or page and model on it; time in s; options of `trammel render`
PICTURES = {
    "crank": ("models/paper/crank.yaml", 0.3, "--labels --trail 0.3 --size 560"),
    "tutorial_fourbar": ("docs/tutorial.md fourbar.yaml", 0.3, "--labels --size 600"),
    "shapes_engine": ("models/examples/shapes/engine.yaml", 0.1, "--size 600"),
    # ---- the gallery: FOLDER_MODEL
    "gallery_andrews": ("models/gallery/andrews.yaml", 0.02, SMALL),
    "gallery_cam": ("models/gallery/cam.yaml", 0.1, SMALL),
    "gallery_car_axis": ("models/gallery/car_axis.yaml", 0.1, SMALL),
    "gallery_chain": ("models/gallery/chain.yaml", 0.8, SMALL),
    "gallery_differential": ("models/gallery/differential.yaml", 0.1, SMALL),
    "gallery_double_pendulum": ("models/gallery/double_pendulum.yaml", 0.3, SMALL),
    "gallery_double_wishbone": ("models/gallery/double_wishbone.yaml", 1, SMALL),
    "gallery_fekete": ("models/gallery/fekete.yaml", 10, SMALL),
    "gallery_five_link_axle": ("models/gallery/five_link_axle.yaml", 0.5, SMALL),
    "gallery_flyball_governor": ("models/gallery/flyball_governor.yaml", 0.3, SMALL),
    "gallery_free_body": ("models/gallery/free_body.yaml", 0.6, SMALL),
    "gallery_heavy_top": ("models/gallery/heavy_top.yaml", 0.1, SMALL),
    "gallery_n_four_bar": ("models/gallery/n_four_bar.yaml", 0.3, SMALL),
    "gallery_net": ("models/gallery/net.yaml", 0.35, SMALL),
    "gallery_quick_return": ("models/gallery/quick_return.yaml", 0.2, SMALL),
    "gallery_robot_arm": ("models/gallery/robot_arm.yaml", 1.4, SMALL),
    "gallery_simple_pendulum": ("models/gallery/simple_pendulum.yaml", 0.4, SMALL),
    "gallery_slider_crank": ("models/gallery/slider_crank.yaml", 0.4, SMALL),
    "gallery_spatial_slider_crank": ("models/gallery/spatial_slider_crank.yaml", 0.2, SMALL),
    "gallery_table": ("models/gallery/table.yaml", 0, SMALL),
    "gallery_truss": ("models/gallery/truss.yaml", 0, SMALL),
    "paper_crank": ("models/paper/crank.yaml", 0.3, SMALL),
    "paper_pendulum": ("models/paper/pendulum.yaml", 0.3, SMALL),
    "paper_quadrangle": ("models/paper/quadrangle.yaml", 0.3, SMALL),
    "planar_andrews": ("models/planar/andrews.yaml", 0.02, SMALL),
    "planar_n_four_bar": ("models/planar/n_four_bar.yaml", 0.3, SMALL),
    "planar_quadrangle": ("models/planar/quadrangle.yaml", 0.3, SMALL),
    "redundant_two_four_bars_free": ("models/redundant/two_four_bars_free.yaml", 0.3, SMALL),
    "redundant_two_four_bars_free_rscr": ("models/redundant/two_four_bars_free_rscr.yaml", 0.3, SMALL),
    "redundant_two_four_bars_on_turntable":
        ("models/redundant/two_four_bars_on_turntable.yaml", 0.5, SMALL),
    "redundant_two_four_bars_on_turntable_rscr":
        ("models/redundant/two_four_bars_on_turntable_rscr.yaml", 0.5, SMALL),
    "new_user_arm_pd": ("models/new_user/arm_pd.yaml", 0.6, SMALL),
    "new_user_crane": ("models/new_user/crane.yaml", 4, SMALL),
    "new_user_engine": ("models/new_user/engine.yaml", 0.01, SMALL),
    "new_user_stewart": ("models/new_user/stewart.yaml", 1.5, SMALL),
    "new_user_table_overshoot": ("models/new_user/table_overshoot.yaml", 30, SMALL),
    "new_user_wiper": ("models/new_user/wiper.yaml", 0.3, SMALL),
}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nfailed:\n{done.stdout}{done.stderr}")


# ---- the same drawing in fewer bytes

ELEMENT = re.compile(r"<(polygon|line|polyline)((?: [\w-]+=\"[^\"]*\")*)/>$")
ATTRIBUTE = re.compile(r' ([\w-]+)="([^"]*)"')
LENGTHS = ("stroke-width", "stroke-dasharray")


def write_path(points, closed):
    """'M10 20l5-3 2 7z': a point, then steps."""
    (x, y), steps = points[0], []
    for a, b in points[1:]:
        steps += [a - x, b - y]
        x, y = a, b
    words = " ".join(map(str, steps or [0, 0]))
    return f"M{points[0][0]} {points[0][1]}l{words}{'z' if closed else ''}".replace(" -", "-")


def in_tenths(numbers):
    return [round(10 * float(number)) for number in re.findall(r"-?[\d.]+", numbers)]


def read_element(name, attributes):
    """Style, path and box of a polygon or line, in tenths of a pixel."""
    style = dict(ATTRIBUTE.findall(attributes))
    if name == "line":
        numbers = in_tenths(" ".join(style.pop(key) for key in ("x1", "y1", "x2", "y2")))
    else:
        numbers = in_tenths(style.pop("points"))
    points = list(zip(numbers[::2], numbers[1::2]))
    for key in set(style) & set(LENGTHS):
        style[key] = " ".join(map(str, in_tenths(style[key])))
    if name == "line":
        style["fill"] = "none"
    margin = float(style.get("stroke-width", 0)) / 2 + 1
    box = (min(x for x, _ in points) - margin, min(y for _, y in points) - margin,
           max(x for x, _ in points) + margin, max(y for _, y in points) + margin)
    return ";".join(f"{key}:{style[key]}" for key in sorted(style)), write_path(points, name == "polygon"), box


class Layer:
    """Neighbours of one style; they may be drawn together."""

    def __init__(self, style):
        self.style, self.paths, self.boxes = style, [], []

    def add(self, path, box):
        self.paths.append(path)
        self.boxes.append(box)

    def meets(self, box):
        return any(box[0] <= other[2] and other[0] <= box[2] and
                   box[1] <= other[3] and other[1] <= box[3] for other in self.boxes)


def find_layer(layers, style, box):
    """The last one of this style, if nothing between lies under the box; else a new one."""
    for layer in reversed(layers):
        if layer.style == style:
            return layer
        if layer.meets(box):
            break
    layers.append(Layer(style))
    return layers[-1]


def make_small(svg):
    lines, layers, names = [], [], {}

    def finish():
        if layers:
            lines.append('<g transform="scale(.1)">')
            for layer in layers:
                name = names.setdefault(layer.style, f"s{len(names)}")
                lines.append(f'<path class="{name}" d="{"".join(layer.paths)}"/>')
            lines.append("</g>")
            layers.clear()

    for line in svg.splitlines():
        match = ELEMENT.match(line)
        if match and "transform" not in line and "opacity" not in line:
            style, path, box = read_element(*match.groups())
            find_layer(layers, style, box).add(path, box)
        else:
            finish()
            lines.append(line)
    styles = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return "\n".join([lines[0], f"<style>{styles}</style>", *lines[1:]]) + "\n"


# ---- drawing and comparing

def find_model(source, folder):
    """A model file, or one that a page shows."""
    page, _, name = source.partition(" ")
    if not name:
        return ROOT / page
    text = re.search(rf"^```yaml\n(# {re.escape(name)}\n.*?)^```$", (ROOT / page).read_text("utf-8"),
                     re.M | re.S).group(1)
    (folder / name).write_text(text, "utf-8")
    return folder / name


def draw(program, name, folder):
    source, t, options = PICTURES[name]
    results, picture = folder / "run.h5", folder / "picture.svg"
    run(program, "run", find_model(source, folder), "-q", "--t-end", t or 0.01, "-o", results)
    run(program, "render", results, "-o", picture, "--t", t, *options.split())
    return make_small(picture.read_text("utf-8"))


def read_png(file):
    """Bytes of an image of 8 bits per channel, without interlacing: what rsvg-convert writes."""
    data, at, packed = file.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    depth = {2: 3, 6: 4}[colour] if bits == 8 else sys.exit(f"{file}: {bits} bits per channel")
    raw, row, rows = zlib.decompress(packed), bytearray(width * depth), []
    for y in range(height):
        line = raw[y * (len(row) + 1):(y + 1) * (len(row) + 1)]
        above, row = row, bytearray(line[1:])
        for k in range(len(row)):
            a, c = (row[k - depth], above[k - depth]) if k >= depth else (0, 0)
            b = above[k]
            if line[0] == 4:  # Paeth
                p = a + b - c
                near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            else:
                near = (0, a, b, (a + b) // 2)[line[0]]
            row[k] = (line[k + 1] + near) & 255
        rows.append(row)
    return width, b"".join(rows)


def is_same_picture(a, b, folder):
    """Equal but for one pixel in a thousand."""
    if a == b:
        return True
    images = []
    for k, svg in enumerate((a, b)):
        (folder / f"{k}.svg").write_text(svg, "utf-8")
        run("rsvg-convert", folder / f"{k}.svg", "-o", folder / f"{k}.png")
        images.append(read_png(folder / f"{k}.png"))
    (width, first), (other, second) = images
    different = sum(abs(x - y) > 32 for x, y in zip(first, second))
    return width == other and len(first) == len(second) and different <= 0.001 * len(first)


def main():
    program, *words = sys.argv[1:] or sys.exit(__doc__)
    check = "--check" in words
    names = [word for word in words if word != "--check"] or list(PICTURES)
    stale = []
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name_of_folder:
        for name in names:
            folder, file = Path(name_of_folder), FOLDER / f"{name}.svg"
            svg = draw(program, name, folder)
            if not check:
                file.write_text(svg, "utf-8")
            elif not file.exists() or not is_same_picture(file.read_text("utf-8"), svg, folder):
                stale.append(file.relative_to(ROOT).as_posix())
    for file in stale:
        print(f"{file} is stale: run 'make pictures'")
    size = sum(file.stat().st_size for file in FOLDER.glob("*.svg"))
    print(f"{len(names)} pictures; {size / 1e3:.0f} kB in {FOLDER.relative_to(ROOT).as_posix()}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
