#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the sketches of docs/reference/joints, one SVG a kind of joint, all in one style.

Body i is blue, body j orange, axes are dash-dotted, what stays free is a green arrow.
Usage: draw_joints.py [FOLDER]    default: docs/reference/joints beside this script's folder
"""
import math
import sys
from pathlib import Path

WIDTH, HEIGHT = 280, 170
BODY_I, BODY_J, FREE, LINE = "#8fb3d9", "#f2b27a", "#2a8a4a", "#333333"


class Sketch:
    def __init__(self):
        self.parts = []

    def add(self, text):
        self.parts.append(text)
        return self

    # ---- bodies

    def shape(self, points, fill):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        return self.add(f'<polygon points="{path}" fill="{fill}" stroke="{LINE}" '
                        'stroke-width="1.5" stroke-linejoin="round"/>')

    def bar(self, x0, y0, x1, y1, fill, width=16):
        """A bar from one point to another."""
        length = math.hypot(x1 - x0, y1 - y0)
        nx, ny = -(y1 - y0) / length * width / 2, (x1 - x0) / length * width / 2
        return self.shape([(x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny),
                           (x0 - nx, y0 - ny)], fill)

    def ball(self, x, y, r, fill):
        return self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{fill}" '
                        f'stroke="{LINE}" stroke-width="1.5"/>')

    def dot(self, x, y, r=3):
        return self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{LINE}"/>')

    def plane(self, x, y, wide, deep, fill):
        """A horizontal plane seen from above at an angle; (x, y) its middle."""
        w, d = wide / 2, deep / 2
        return self.shape([(x - w - d * 0.6, y + d), (x + w - d * 0.6, y + d),
                           (x + w + d * 0.6, y - d), (x - w + d * 0.6, y - d)], fill)

    # ---- lines

    def line(self, x0, y0, x1, y1, colour=LINE, width=1.5, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        return self.add(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" '
                        f'stroke="{colour}" stroke-width="{width}"{dashes}/>')

    def axis(self, x0, y0, x1, y1):
        return self.line(x0, y0, x1, y1, LINE, 1, "9 3 2 3")

    def path(self, d, colour=LINE, width=1.5, fill="none"):
        return self.add(f'<path d="{d}" fill="{fill}" stroke="{colour}" stroke-width="{width}"/>')

    # ---- what stays free

    def head(self, x, y, angle):
        points = [(x, y)] + [(x - 9 * math.cos(angle + s), y - 9 * math.sin(angle + s))
                             for s in (0.4, -0.4)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        return self.add(f'<polygon points="{path}" fill="{FREE}"/>')

    def slide(self, x0, y0, x1, y1):
        """A double arrow."""
        angle = math.atan2(y1 - y0, x1 - x0)
        c, s = 6 * math.cos(angle), 6 * math.sin(angle)
        self.line(x0 + c, y0 + s, x1 - c, y1 - s, FREE, 2)
        return self.head(x1, y1, angle).head(x0, y0, angle + math.pi)

    def turn(self, x, y, rx, ry, start, end, tilt=0):
        """An arc of an ellipse with an arrow at its end; degrees, clockwise as on the screen."""
        def at(degrees):
            a, t = math.radians(degrees), math.radians(tilt)
            u, v = rx * math.cos(a), ry * math.sin(a)
            return x + u * math.cos(t) - v * math.sin(t), y + u * math.sin(t) + v * math.cos(t)
        steps = [at(start + (end - start) * k / 24) for k in range(25)]
        self.path("M " + " L ".join(f"{a:.1f} {b:.1f}" for a, b in steps[:-2]), FREE, 2)
        (xa, ya), (xb, yb) = steps[-3], steps[-1]
        return self.head(xb, yb, math.atan2(yb - ya, xb - xa))

    def text(self, x, y, words, italic=False, size=14):
        style = ' font-style="italic"' if italic else ""
        return self.add(f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="{size}" '
                        f'fill="{LINE}" text-anchor="middle"{style}>{words}</text>')

    def write(self, path):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                f'width="{WIDTH}" height="{HEIGHT}">\n'
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n')
        path.write_text(head + "\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")


def letters(sketch, xi, yi, xj, yj):
    return sketch.text(xi, yi, "i", True).text(xj, yj, "j", True)


def spherical():
    s = Sketch()
    s.bar(160, 85, 262, 52, BODY_J)
    s.path("M 40 60 L 128 60 A 34 34 0 0 0 128 110 L 40 110 Z", LINE, 1.5, BODY_I)
    s.ball(147, 88, 24, BODY_J).dot(147, 88)
    s.turn(147, 88, 46, 46, -75, -25).turn(147, 88, 46, 46, 75, 25)
    s.turn(205, 70, 8, 20, -120, 120, -18)
    return letters(s, 70, 90, 238, 64)


def universal():
    s = Sketch()
    s.bar(18, 85, 92, 85, BODY_I, 20)
    s.shape([(92, 60), (128, 60), (128, 70), (104, 70), (104, 100), (128, 100), (128, 110),
             (92, 110)], BODY_I)
    s.bar(188, 85, 262, 85, BODY_J, 20)
    s.shape([(188, 50), (152, 72), (152, 80), (176, 72), (176, 98), (152, 90), (152, 98),
             (188, 120)], BODY_J)
    s.line(140, 62, 140, 108, LINE, 5).line(126, 93, 154, 77, LINE, 5)
    s.axis(140, 24, 140, 146).axis(96, 110, 190, 57)
    s.turn(140, 34, 18, 7, 150, -150).turn(182, 62, 7, 16, -60, 200, -30)
    return letters(s, 50, 90, 232, 90)


def revolute():
    s = Sketch()
    s.bar(140, 85, 258, 62, BODY_J)
    s.shape([(30, 60), (112, 60), (140, 70), (140, 100), (112, 110), (30, 110)], BODY_I)
    s.ball(140, 85, 20, BODY_J).ball(140, 85, 7, "#ffffff")
    s.axis(112, 150, 168, 20)
    s.turn(140, 85, 40, 40, -55, 35)
    return letters(s, 70, 90, 236, 71)


def cylindrical():
    s = Sketch()
    s.bar(20, 85, 260, 85, BODY_J, 14)
    s.bar(95, 85, 175, 85, BODY_I, 48)
    s.line(95, 85, 175, 85, LINE, 1, "5 3")
    s.axis(6, 85, 274, 85)
    s.slide(190, 55, 262, 55).turn(222, 85, 9, 24, -130, 130)
    return letters(s, 135, 78, 45, 68)


def translational():
    s = Sketch()
    s.bar(20, 85, 260, 85, BODY_J, 18)
    s.line(20, 81, 95, 81).line(175, 81, 260, 81)
    s.bar(95, 85, 175, 85, BODY_I, 48)
    s.axis(6, 85, 274, 85)
    s.slide(188, 52, 262, 52)
    return letters(s, 135, 80, 45, 68)


def fixed():
    s = Sketch()
    s.bar(24, 85, 140, 85, BODY_I, 34).bar(140, 85, 256, 85, BODY_J, 34)
    for k in range(5):
        s.line(133, 74 + 8 * k, 147, 66 + 8 * k, LINE, 1.5)
    return letters(s, 70, 90, 205, 90)


def point_on_line():
    s = Sketch()
    s.bar(24, 100, 256, 70, BODY_I, 30)
    s.line(46, 97, 234, 73, "#ffffff", 8).axis(10, 102, 270, 68)
    s.ball(140, 85, 13, BODY_J).dot(140, 85)
    s.slide(160, 52, 218, 44).turn(140, 85, 30, 30, 110, 175).turn(140, 85, 30, 30, -120, -55)
    return letters(s, 36, 104, 140, 118)


def distance():
    s = Sketch()
    s.shape([(18, 60), (66, 48), (78, 92), (30, 112)], BODY_I)
    s.shape([(206, 74), (254, 62), (264, 112), (214, 126)], BODY_J)
    s.line(64, 80, 218, 92, LINE, 4)
    s.ball(64, 80, 7, "#ffffff").ball(218, 92, 7, "#ffffff")
    s.turn(64, 80, 26, 26, -60, 60).turn(218, 92, 26, 26, 240, 120)
    s.text(140, 78, "L", True)
    return letters(s, 42, 90, 242, 104)


def planar():
    s = Sketch()
    s.plane(140, 105, 190, 84, BODY_I).plane(135, 94, 76, 36, BODY_J)
    s.axis(135, 94, 135, 22).text(122, 34, "n", True)
    s.slide(190, 94, 236, 94).slide(132, 128, 150, 98 + 40 * 0.0).turn(135, 50, 22, 8, 160, -140)
    return letters(s, 66, 138, 112, 99)


def point_in_plane():
    s = Sketch()
    s.plane(140, 112, 190, 72, BODY_I)
    s.shape([(140, 108), (112, 48), (172, 36)], BODY_J)
    s.dot(140, 108)
    s.axis(140, 108, 140, 22)
    s.slide(160, 112, 214, 112).slide(104, 138, 126, 110).turn(140, 30, 20, 7, 160, -140)
    return letters(s, 66, 140, 141, 62)


def parallel_axes():
    s = Sketch()
    s.bar(70, 46, 70, 124, BODY_I, 46).bar(206, 60, 206, 138, BODY_J, 46)
    s.axis(70, 12, 70, 158).axis(206, 18, 206, 164)
    s.slide(110, 60, 164, 60).slide(137, 84, 137, 138)
    s.turn(206, 36, 20, 7, 160, -150)
    return letters(s, 84, 90, 220, 104)


def perpendicular():
    s = Sketch()
    s.bar(70, 46, 70, 124, BODY_I, 46).bar(160, 92, 238, 92, BODY_J, 46)
    s.axis(70, 12, 70, 158).axis(120, 92, 272, 92)
    s.line(70, 78, 84, 78).line(84, 78, 84, 92).line(70, 92, 120, 92, LINE, 1, "2 3")
    s.turn(70, 28, 20, 7, 160, -150).turn(256, 92, 7, 20, -120, 120)
    return letters(s, 58, 110, 190, 86)


def orientation():
    s = Sketch()
    for x, y, fill in ((72, 100, BODY_I), (200, 76, BODY_J)):
        s.shape([(x - 34, y + 24), (x + 34, y + 24), (x + 34, y - 24), (x - 34, y - 24)], fill)
        s.line(x, y, x + 26, y, LINE, 2.5).line(x, y, x, y - 18, LINE, 2.5)
        s.line(x, y, x - 13, y + 12, LINE, 2.5)
    s.slide(112, 46, 160, 46).slide(136, 20, 136, 72).slide(122, 62, 150, 30)
    return letters(s, 52, 92, 180, 68)


def revolute_spherical():
    s = Sketch()
    s.shape([(16, 56), (60, 66), (60, 106), (16, 116)], BODY_I)
    s.bar(74, 86, 208, 76, "#dddddd", 9)
    s.bar(60, 86, 84, 86, "#dddddd", 30)
    s.axis(60, 26, 84, 146)
    s.shape([(208, 52), (262, 42), (266, 104), (212, 104)], BODY_J)
    s.ball(212, 77, 11, "#ffffff").dot(212, 77)
    s.turn(79, 120, 20, 7, 170, -120).turn(212, 77, 26, 26, 250, 110)
    s.text(140, 72, "L", True)
    return letters(s, 34, 91, 244, 74)


def universal_spherical():
    s = Sketch()
    s.shape([(16, 56), (60, 66), (60, 106), (16, 116)], BODY_I)
    s.bar(70, 86, 208, 76, "#dddddd", 9)
    s.line(70, 66, 70, 106, LINE, 5).line(58, 92, 82, 80, LINE, 5)
    s.axis(70, 28, 70, 144).axis(40, 101, 104, 69)
    s.shape([(208, 52), (262, 42), (266, 104), (212, 104)], BODY_J)
    s.ball(212, 77, 11, "#ffffff").dot(212, 77)
    s.turn(70, 40, 18, 7, 160, -150).turn(212, 77, 26, 26, 250, 110)
    s.text(142, 72, "L", True)
    return letters(s, 32, 91, 244, 74)


def revolute_translational():
    s = Sketch()
    s.bar(24, 100, 256, 70, BODY_I, 34)
    s.line(46, 97, 234, 73, "#ffffff", 13).axis(10, 102, 270, 68)
    s.bar(140, 85, 182, 150, BODY_J, 16)
    s.ball(140, 85, 9, BODY_J).dot(140, 85)
    s.slide(64, 62, 118, 55).turn(140, 85, 34, 34, 20, 110)
    return letters(s, 36, 104, 154, 128)


def constant_velocity():
    s = Sketch()
    s.bar(18, 100, 128, 100, BODY_I, 18)
    s.bar(150, 92, 252, 32, BODY_J, 18)
    s.ball(140, 98, 28, "#eeeeee").dot(140, 98)
    s.axis(4, 100, 140, 100).axis(140, 98, 274, 19)
    s.turn(56, 100, 8, 24, -120, 120).turn(218, 52, 8, 24, -120, 120, -31)
    s.text(56, 146, "ψ", True).text(250, 84, "ψ", True)
    return letters(s, 96, 126, 196, 98)


def point_on_curve():
    s = Sketch()
    s.path("M 30 130 C 60 20, 120 20, 150 80 S 230 140, 250 50 L 250 160 L 30 160 Z", LINE, 1.5,
           BODY_I)
    s.shape([(104, 46), (70, 6), (120, 6)], BODY_J)
    s.dot(104, 42)
    s.path("M 30 130 C 60 20, 120 20, 150 80 S 230 140, 250 50", LINE, 3)
    s.slide(132, 36, 166, 84).turn(104, 42, 24, 24, 215, 150)
    return letters(s, 70, 130, 96, 24)


def generic():
    s = Sketch()
    s.shape([(14, 56), (74, 44), (84, 108), (24, 126)], BODY_I)
    s.shape([(198, 62), (256, 48), (266, 112), (208, 126)], BODY_J)
    for k, word in enumerate(("C", "SO", "O", "D", "CV")):
        y = 34 + 26 * k
        s.line(80, 74 + 6 * k, 120, y).line(160, y, 202, 74 + 7 * k)
        s.add(f'<rect x="120" y="{y - 10}" width="40" height="20" rx="4" fill="#eeeeee" '
              f'stroke="{LINE}"/>')
        s.text(140, y + 5, word)
    return letters(s, 46, 90, 236, 92)


def angle():
    s = Sketch()
    s.bar(70, 46, 70, 132, BODY_I, 46).bar(130, 92, 226, 52, BODY_J, 46)
    s.axis(70, 12, 70, 164).axis(70, 117, 262, 37)
    s.path("M 70 70 A 47 47 0 0 1 113 99", LINE, 1.5).text(104, 72, "θ", True)
    s.turn(70, 30, 20, 7, 160, -150).turn(244, 45, 7, 20, -120, 120, -22)
    return letters(s, 58, 112, 180, 74)


def line_in_plane():
    s = Sketch()
    s.plane(140, 112, 200, 72, BODY_I)
    s.shape([(72, 118), (204, 98), (204, 46), (72, 66)], BODY_J)
    s.line(72, 118, 204, 98, LINE, 4).axis(140, 108, 140, 18)
    s.slide(216, 106, 252, 100).turn(140, 26, 20, 7, 160, -140).turn(60, 120, 7, 18, -120, 120, -9)
    return letters(s, 56, 144, 120, 92)


def link_ends(s, sleeve):
    """The rod of a link with a sleeve or a hinge on an upright axis of body i."""
    s.bar(62, 30, 62, 146, BODY_I, 16).axis(62, 8, 62, 164)
    s.bar(62, 88, 212, 88, "#dddddd", 9).bar(62, 72 if sleeve else 78, 62, 104 if sleeve else 98,
                                             "#dddddd", 28)
    return s.text(136, 80, "L", True)


def cylindrical_spherical():
    s = link_ends(Sketch(), True)
    s.shape([(212, 62), (262, 54), (266, 116), (212, 112)], BODY_J)
    s.ball(212, 88, 11, "#ffffff").dot(212, 88)
    s.slide(92, 46, 92, 74).turn(62, 126, 22, 8, 160, -140).turn(212, 88, 26, 26, 250, 110)
    return letters(s, 40, 40, 244, 88)


def revolute_cylindrical():
    s = link_ends(Sketch(), False)
    s.bar(212, 30, 212, 146, BODY_J, 16).axis(212, 8, 212, 164).bar(212, 72, 212, 104, "#dddddd", 28)
    s.slide(242, 62, 242, 114).turn(62, 126, 22, 8, 160, -140).turn(212, 126, 22, 8, 160, -140)
    return letters(s, 40, 40, 190, 40)


def revolute_revolute():
    s = link_ends(Sketch(), False)
    s.bar(212, 30, 212, 146, BODY_J, 16).axis(212, 8, 212, 164).bar(212, 78, 212, 98, "#dddddd", 28)
    s.turn(62, 126, 22, 8, 160, -140).turn(212, 126, 22, 8, 160, -140)
    return letters(s, 40, 40, 190, 40)


def axis_distance():
    s = Sketch()
    s.bar(18, 128, 250, 112, BODY_I, 18).axis(4, 129, 272, 111)
    s.bar(78, 84, 214, 26, BODY_J, 18).axis(52, 95, 246, 12)
    s.line(138, 120, 138, 58, LINE, 1.5).text(126, 96, "L", True)
    s.slide(176, 76, 232, 52).slide(34, 106, 84, 102).turn(230, 19, 7, 18, -120, 120, -22)
    return letters(s, 226, 134, 186, 32)


def gear_wheel(sketch, x, y, radius, teeth, fill, phase=0.0):
    """A spur gear: four corners for each tooth, 5 above and 5 below the pitch circle."""
    points = []
    for k in range(4 * teeth):
        a = phase + 2 * math.pi * (k - 0.5) / (4 * teeth)
        r = radius + (5 if k % 4 in (0, 1) else -5)
        points.append((x + r * math.cos(a), y + r * math.sin(a)))
    return sketch.shape(points, fill).ball(x, y, 5, "#ffffff")


def gear():
    s = Sketch()
    gear_wheel(s, 92, 88, 54, 18, BODY_I)
    gear_wheel(s, 176, 88, 30, 10, BODY_J, math.pi / 10)
    s.turn(92, 88, 34, 34, -150, -40).turn(176, 88, 42, 42, 30, -60)
    return s.text(92, 118, "z₁", True).text(176, 80, "z₂", True)


def belt():
    s = Sketch()
    # outer tangents of circles of radii 46 and 24, centres 126 apart
    a = math.acos((46 - 24) / 126)
    for sign in (-1, 1):
        c, n = math.cos(a), sign * math.sin(a)
        s.line(84 + 46 * c, 88 + 46 * n, 210 + 24 * c, 88 + 24 * n, LINE, 4)
    s.ball(84, 88, 46, BODY_I).ball(210, 88, 24, BODY_J)
    s.ball(84, 88, 5, "#ffffff").ball(210, 88, 5, "#ffffff")
    s.turn(84, 88, 30, 30, -150, -40).turn(210, 88, 40, 40, -60, 30)
    return s.text(84, 118, "r₁", True).text(210, 107, "r₂", True)


def rack_and_pinion():
    s = Sketch()
    gear_wheel(s, 140, 66, 40, 16, BODY_I, math.pi / 2)
    pitch = 2 * math.pi * 40 / 16  # of the pinion's teeth along its circle
    points = [(24, 140), (24, 111)]
    for k in range(-7, 8):
        x = 140 + (k + 0.5) * pitch
        if 30 < x < 246:
            points += [(x - pitch / 4, 111), (x - pitch / 4, 101), (x + pitch / 4, 101),
                       (x + pitch / 4, 111)]
    s.shape(points + [(256, 111), (256, 140)], BODY_J)
    s.turn(140, 66, 22, 22, -150, -30).slide(96, 155, 184, 155)
    return s.text(140, 93, "r", True).text(50, 131, "x", True)


def screw():
    s = Sketch()
    s.bar(20, 85, 260, 85, BODY_I, 22)
    for k in range(19):
        x = 32 + 12 * k
        s.line(x, 96, x + 6, 74, LINE, 1.5)
    s.bar(104, 85, 176, 85, BODY_J, 60)
    s.axis(6, 85, 274, 85)
    s.slide(190, 46, 262, 46).turn(226, 85, 9, 27, -130, 130)
    return letters(s, 48, 66, 140, 76)


def thread():
    s = Sketch()
    s.bar(20, 85, 260, 85, BODY_I, 14)
    for k in range(19):
        x = 32 + 12 * k
        s.line(x, 92, x + 6, 78, LINE, 1.5)
    s.bar(112, 85, 168, 85, BODY_J, 48)
    s.ball(60, 85, 5, "#ffffff").ball(140, 85, 5, "#ffffff")
    s.slide(190, 46, 262, 46).turn(226, 85, 9, 27, -130, 130)
    return s.text(140, 152, "travel = pitch/2π · angle")


def coupler():
    s = Sketch()
    for x, fill, q in ((74, BODY_I, "q₁"), (206, BODY_J, "q₂")):
        s.ball(x, 92, 34, fill).ball(x, 92, 5, "#ffffff").line(x, 92, x, 60, LINE, 1, "3 3")
        s.line(x, 92, x + 22, 68, LINE, 2)
        s.turn(x, 92, 46, 46, -90, -40).text(x + 28, 44, q, True)
    s.line(112, 92, 168, 92, LINE, 2, "4 4")
    return s.text(140, 152, "c₁q₁ + c₂q₂ + … = const")


SKETCHES = [spherical, universal, revolute, cylindrical, translational, fixed, point_on_line,
            distance, planar, point_in_plane, parallel_axes, perpendicular, orientation,
            revolute_spherical, universal_spherical, revolute_translational, constant_velocity,
            point_on_curve, generic, angle, line_in_plane, cylindrical_spherical,
            revolute_cylindrical, revolute_revolute, axis_distance, gear, belt, rack_and_pinion, screw,
            thread, coupler]


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs/reference/joints"
    for draw in SKETCHES:
        draw().write(folder / f"{draw.__name__}.svg")


if __name__ == "__main__":
    main()
