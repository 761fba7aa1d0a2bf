# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Models of other programs on the command line: hostile files, round trips, motions that others computed."""
import csv
import math
import shutil
import unittest
from pathlib import Path

from support import CommandLineTest

DATA = Path(__file__).resolve().parent.parent / "import"


def link(name="a", extra="<mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"):
    return f"<link name='{name}'><inertial>{extra}</inertial></link>"


def joint(parent="a", child="b", kind="continuous", name="j", extra=""):
    return (f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>"
            f"{extra}</joint>")


def robot(*parts):
    return "<robot name='r'>\n" + "\n".join(parts) + "\n</robot>\n"


def mujoco(body, extra=""):
    return f"<mujoco>{extra}<worldbody>{body}</worldbody></mujoco>"


BODY = "<body name='b'><joint/><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/></body>"


def asmt(joints="", parts="", end=""):
    tabs = "\t"
    part = "\n".join([tabs * 2 + "Part", tabs * 3 + "Name", tabs * 4 + "P", tabs * 3 + "Position3D", tabs * 4 + "0 0 0",
                      tabs * 3 + "RotationMatrix"] + [tabs * 4 + row for row in ("1 0 0", "0 1 0", "0 0 1")] +
                     [tabs * 3 + "PrincipalMassMarker", tabs * 4 + "Mass", tabs * 5 + "1",
                      tabs * 4 + "MomentOfInertias", tabs * 5 + "1 1 1"])
    return ("OndselSolver\nAssembly\n\tName\n\t\tA\n\tParts\n" + (parts or part) + "\n\tConstraintSets\n\t\tJoints\n"
            + joints + "\n" + end)


# name, ending, text, what the message must contain
HOSTILE = [
    ("bomb", "urdf", "<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>\n<robot name='&b;'/>", ":1:1: document types"),
    ("external", "urdf", "<?xml version='1.0'?>\n<!DOCTYPE r SYSTEM '/etc/passwd'><robot/>", ":2:1: document types"),
    ("entity", "xml", "<mujoco><!ENTITY x SYSTEM 'file:///etc/passwd'></mujoco>", "entities are refused"),
    ("empty", "urdf", "", "XML"),
    ("no_xml", "urdf", "this is no XML", "XML"),
    ("cut", "urdf", robot(link())[:40], "not well-formed"),
    ("other_root", "urdf", "<sdf version='1.6'/>", "must be 'robot'"),
    ("binary", "urdf", "<robot\x01/>", "not a text file"),
    ("deep", "xml", "<mujoco>" + "<worldbody>" * 3000 + "</worldbody>" * 3000 + "</mujoco>", "nested more than"),
    ("no_link", "urdf", robot(), "has no link"),
    ("nan_mass", "urdf", robot(link(), link("b", "<mass value='nan'/>"), joint()), "finite numbers"),
    ("infinite", "urdf", robot(link(), link("b", "<mass value='1e999'/>"), joint()), "finite numbers"),
    ("word", "urdf", robot(link(), link("b", "<mass value='heavy'/>"), joint()), "got 'heavy'"),
    ("negative_mass", "urdf", robot(link(), link("b", "<mass value='-1'/>"), joint()), "must not be negative"),
    ("negative_inertia", "urdf", robot(link(), link("b", "<mass value='1'/><inertia ixx='-1' iyy='1' izz='1'/>"), joint()),
     ":3:1: bodies.b.inertia: must not have negative moments"),
    ("impossible_inertia", "urdf", robot(link(), link("b", "<mass value='1'/><inertia ixx='1' iyy='1' izz='9'/>"), joint()),
     "impossible principal moments"),
    ("no_mass", "urdf", robot(link(), "<link name='b'/>", joint()), ":3:1: b: a body without mass whose motion"),
    ("same_link", "urdf", robot(link(), link()), "duplicate name of a link"),
    ("same_joint", "urdf", robot(link(), link("b"), link("c"), joint(), joint("b", "c")), "duplicate name of a joint"),
    ("no_such_link", "urdf", robot(link(), link("bottom"), joint(child="botom")), "did you mean 'bottom'"),
    ("circle", "urdf", robot(link("w"), link(), link("b"), joint(), joint("b", "a", name="k")), "form a circle"),
    ("self", "urdf", robot(link(), joint("a", "a")), "same link"),
    ("two_roots", "urdf", robot(link(), link("b")), "has 2 root links: a, b"),
    ("joint_kind", "urdf", robot(link(), link("b"), joint(kind="elastic")), "unknown joint type 'elastic'"),
    ("no_axis", "urdf", robot(link(), link("b"), joint(extra="<axis xyz='0 0 0'/>")), "axis must not be zero"),
    ("two_numbers", "urdf", robot(link(), link("b"), joint(extra="<origin xyz='1 2'/>")), "must be 3 numbers, got 2"),
    ("limits", "urdf", robot(link(), link("b"), joint(kind="revolute", extra="<limit lower='1' upper='0'/>")),
     "lower limit is above"),
    ("mimic", "urdf", robot(link(), link("b"), joint(extra="<mimic joint='k'/>")), "there is no joint 'k'"),
    ("loop_kind", "urdf", robot(link(), link("b"), joint(), "<loop_joint name='l' type='glue'/>"), "unknown type of a loop"),
    ("loop_link", "urdf", robot(link(), link("b"), joint(), "<loop_joint name='l' type='fixed'><link1 link='a'/><link2 link='z'/></loop_joint>"),
     "there is no link 'z'"),
    ("xacro", "urdf", "<robot xmlns:xacro='x'><xacro:include filename='a'/></robot>", "expand them first"),
    ("outside", "xml", mujoco(BODY, "<include file='../../secret.xml'/>"), "outside of the model's folder"),
    ("absolute", "xml", mujoco(BODY, "<include file='/etc/passwd'/>"), "outside of the model's folder"),
    ("cyclic", "xml", mujoco(BODY, "<include file='cyclic.xml'/>"), "included twice"),
    ("missing", "xml", mujoco(BODY, "<include file='nowhere.xml'/>"), "no such file"),
    ("mj_class", "xml", mujoco("<body><joint class='x'/><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/></body>"), "no default class 'x'"),
    ("mj_same_body", "xml", mujoco(BODY + BODY.replace("<joint/>", "<joint name='k'/>")), "duplicate name of a body"),
    ("mj_no_mass", "xml", mujoco("<body name='b'><joint/></body>"), "without mass"),
    ("mj_mesh", "xml", mujoco("<body name='b'><joint/><geom type='mesh' mesh='m'/></body>"), "comes from the mesh m"),
    ("mj_size", "xml", mujoco("<body name='b'><joint/><geom size='-1'/></body>"), "must be 1 positive number"),
    ("mj_equality", "xml", mujoco(BODY, "<equality><connect body1='b' body2='c' anchor='0 0 0'/></equality>"), "there is no body 'c'"),
    ("mj_zero_quat", "xml", mujoco("<body name='b' quat='0 0 0 0'>" + BODY[15:]), "quat must not be zero"),
    ("mj_replicate", "xml", mujoco("<replicate count='3'>" + BODY + "</replicate>"), "cannot be imported"),
    ("as_empty", "asmt", "OndselSolver\n", "has no Assembly"),
    ("as_indent", "asmt", "OndselSolver\nAssembly\n\t\t\tName\n", "indented by more than one tab"),
    ("as_marker", "asmt", asmt("\t\t\tRevoluteJoint\n\t\t\t\tMarkerI\n\t\t\t\t\t/A/P/M\n\t\t\t\tMarkerJ\n\t\t\t\t\t/A/N"), "there is no marker '/A/P/M'"),
    ("as_kind", "asmt", asmt("\t\t\tMagicJoint"), "has no MarkerI"),
    ("as_number", "asmt", asmt().replace("\t1 1 1", "\t1 x 1"), "must be 3 finite numbers"),
    ("as_matrix", "asmt", asmt().replace("1 0 0", "1 1 0"), "is not a rotation"),
    ("as_series", "asmt", asmt(end="TimeSeries\nPartSeries /A/P\nX\tfoo\tbar\n"), "must be numbers"),
]


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(cell) for cell in row] for row in rows[1:]]


def read_series(path):
    """Times, and by part X, Y, Z and the angular velocity, without the column Input."""
    lines = path.read_text(encoding="utf-8").splitlines()
    times, series, part = [], {}, None
    for line in lines[lines.index("TimeSeries") + 1:]:
        cells = [cell.strip() for cell in line.split("\t")]
        label = cells[0].split(" ")[0]
        if label.endswith("Series"):
            name = line.replace("\t", " ").split(" ")[1]
            part = series.setdefault(name.split("/")[-1], {}) if label == "PartSeries" else None
        elif label == "Time":
            times = [float(cell) for cell in cells[2:] if cell]
        elif part is not None:
            part[label] = [float(cell) for cell in cells[2:2 + len(times)]]
    return times, series


class Import(CommandLineTest):
    def test_hostile(self):
        for name, ending, text, expected in HOSTILE:
            path = self.folder / f"{name}.{ending}"
            path.write_text(text, encoding="utf-8")
            done = self.trammel("check", str(path))
            self.assertEqual(done.returncode, 1, f"{name}: exit status")
            self.assertTrue(expected in done.stderr, f"{name}: {expected!r} in {done.stderr[:300]!r}")
        huge = self.folder / "huge.urdf"
        with open(huge, "wb") as file:
            file.truncate(1 << 30)
        done = self.trammel("check", str(huge))
        self.assertEqual(done.returncode, 1, "huge: exit status")
        self.assertTrue("1073741824 bytes" in done.stderr, "huge: refused by its size")
        huge.unlink()

    def test_round_trip(self):
        for source in ("robots/5bar_linkage/robot.urdf", "models/springs.xml", "models/connect.xml",
                       "models/massless.urdf", "asmt/piston.asmt"):
            model = self.folder / "model.yaml"
            done = self.trammel("import", str(DATA / source), "-o", str(model))
            self.assertEqual(done.returncode, 0, f"{source}: import")
            tables = []
            for name, path in (("original", DATA / source), ("written", model)):
                done = self.trammel("run", str(path), "--t-end", "0.5", "-q", "-o", str(self.folder / f"{name}.csv"))
                self.assertEqual(done.returncode, 0, f"{source}: run {name}")
                tables.append(read_table(self.folder / f"{name}.csv"))
            self.assertEqual(tables[0][0], tables[1][0], f"{source}: columns")
            worst = max(abs(a - b) / max(1.0, abs(a)) for rows in zip(tables[0][1], tables[1][1])
                        for a, b in zip(*rows))
            self.assertTrue(worst < 1e-12, f"{source}: same motion, {worst}")

    def test_series(self):
        """Angular velocities and centres of mass as the other program computed them."""
        for name in ("piston", "fourbar"):
            path = DATA / "asmt" / f"{name}.asmt"
            times, series = read_series(path)
            done = self.trammel("run", str(path), "-q", "-o", str(self.folder / "run.csv"))
            self.assertEqual(done.returncode, 0, f"{name}: exit status")
            head, rows = read_table(self.folder / "run.csv")
            columns = {title.split(" ")[0]: k for k, title in enumerate(head)}
            self.assertEqual(len(rows), len(times), f"{name}: times")
            worst = 0.0
            for part, values in series.items():
                for k, row in enumerate(rows):
                    ours = math.hypot(*(row[columns[f"{part}.angular_velocity.{axis}"]]
                                        for axis in "xyz"))
                    theirs = math.hypot(*(values["Omega" + axis][k] for axis in "XYZ"))
                    worst = max(worst, abs(ours - theirs) / max(1.0, theirs))
            self.assertTrue(worst < 1e-10, f"{name}: angular velocities differ by {worst}")

    def test_report(self):
        done = self.trammel("import", str(DATA / "robots/agility_cassie/cassie.xml"), "-o", str(self.folder / "cassie.yaml"))
        for text in ("actuator: left-hip-roll", "keyframe: home", "limits of travel: left-hip-roll", "sensor: left-hip-roll-input"):
            self.assertTrue(text in done.stdout, f"cassie: {text}")
        for source in ("robots/agility_cassie/cassie.xml", "robots/cassie_like/robot.urdf", "asmt/CylSphJt.asmt",
                       "asmt/RevRevJt.asmt", "asmt/mateproblembobcat.asmt", "robots/robotiq_2f85_v4/2f85.xml",
                       "robots/pal_talos/talos.xml", "robots/robot_delta/robot.urdf"):
            done = self.trammel("run", str(DATA / source), "--t-end", "0.1", "--json")
            self.assertEqual(done.returncode, 0, f"{source}: exit status")
        shutil.copy(DATA / "robots/5bar_linkage/robot.urdf", self.folder)
        shutil.copy(DATA / "robots/5bar_linkage/robot.yaml", self.folder)
        done = self.trammel("import", str(self.folder / "robot.urdf"), "-o", str(self.folder / "robot.yaml"))
        self.assertEqual(done.returncode, 1, "the loop file is not replaced")
        done = self.trammel("run", str(self.folder / "robot.urdf"), "--set", "a=1")
        self.assertEqual(done.returncode, 3, "no parameters")


if __name__ == "__main__":
    unittest.main()
