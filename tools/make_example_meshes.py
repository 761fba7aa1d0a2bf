#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Writes the mesh of models/examples/shapes: piston.stl, a cup with a bore for its pin, in millimetres.
# The axis of the piston is z, the pin lies along x, the origin is in the middle of the pin.
import math
import pathlib
import struct

RADIUS, INNER, CROWN, SKIRT = 40.0, 34.0, 22.0, -30.0  # of the cup; z of its outer ends
CEILING = 15.0  # z of the inner side of the crown
PIN, BOSS = 9.0, 15.0  # radii of the bore and of the bosses around it
GAP = 12.0  # half of the space between the bosses, for the rod
FACETS = 64


def lathe(profile):
    """Triangles of a profile [(r, z), …], closed, anticlockwise in the plane of r and z."""
    triangles = []
    for (r0, z0), (r1, z1) in zip(profile, profile[1:] + profile[:1]):
        for k in range(FACETS):
            a, b = (2 * math.pi * ((k + d) % FACETS) / FACETS for d in (0, 1))
            p = lambda r, z, t: (r * math.cos(t) + 0.0, r * math.sin(t) + 0.0, z)
            quad = p(r0, z0, a), p(r0, z0, b), p(r1, z1, b), p(r1, z1, a)
            for t in ((quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])):
                if len(set(t)) == 3:
                    triangles.append(t)
    return triangles


def turned(triangles):
    """z of the lathe along x: a rotation about y."""
    return [tuple((z, y, -x) for x, y, z in t) for t in triangles]


cup = [(0.0, CEILING), (INNER, CEILING), (INNER, SKIRT), (RADIUS, SKIRT), (RADIUS, CROWN), (0.0, CROWN)]
# two bosses, which end short of the wall: parts of their own
boss = [(PIN, GAP), (BOSS, GAP), (BOSS, INNER - 3.5), (PIN, INNER - 3.5)]
other = [(r, -z) for r, z in reversed(boss)]
mesh = lathe(cup) + turned(lathe(boss)) + turned(lathe(other))

path = pathlib.Path(__file__).parent.parent / "models/examples/shapes/piston.stl"
with open(path, "wb") as file:
    file.write(b"Trammel example: piston, mm".ljust(80) + struct.pack("<I", len(mesh)))
    for triangle in mesh:
        file.write(struct.pack("<12fH", 0, 0, 0, *(x for p in triangle for x in p), 0))
print(f"{path.name}: {len(mesh)} triangles")
