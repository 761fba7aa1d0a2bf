# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Channels: the same names in CSV, HDF5 and on the page; selection by pattern; times of the grid."""
import json
import math
import re
import unittest

import h5py

from support import MODELS, CommandLineTest, read_csv

MODEL = """\
trammel: 1
name: a bit of everything
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 0]}
  disc: {mass: 1, inertia: [0.1, 0.1, 0.2], position: [1, 0, 0]}
  cart: {mass: 3, inertia: [1, 1, 1], position: [0, 3, 0]}
  bob: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 3, -1]}
joints:
  hinge: {kind: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}
  wheel: {kind: revolute, bodies: [arm, disc], at: [1, 0, 0], axis: [0, 1, 0]}
  rail: {kind: translational, bodies: [ground, cart], at: [0, 3, 0], axis: [1, 0, 0]}
  ball: {kind: spherical, bodies: [cart, bob], at: [0, 3, 0]}
couplers:
  mesh: {kind: gear, joints: [hinge, wheel], teeth: [20, 40]}
drivers:
  feed: {joint: rail, travel: 0.1*sin(t)}
forces:
  motor: {kind: joint_spring_damper, joint: hinge, load: 5 - rate}
  spring: {kind: spring_damper, bodies: [ground, bob], points: [[0, 4, -1], [0, 0, 0]], stiffness: 10}
  law: {kind: nonlinear_spring, bodies: [ground, bob], points: [[0, 2, -1], [0, 0, 0]], tension: 3*length}
  grease: {kind: rotational_damper, joint: wheel, damping: 0.1}
  push: {kind: force, body: bob, value: [1, 0, 0]}
  twist: {kind: torque, body: bob, value: [0, 0, 0.1*sin(t)]}
  pad: {kind: bushing, bodies: [ground, bob], at: [0, 3, -1], stiffness: [1, 1, 1, 1, 1, 1]}
  air: {kind: drag, body: bob, linear: 0.1}
  wind: {kind: aerodynamic_drag, body: bob, drag_coefficient: 1, area: 0.1}
  star: {kind: gravitation, bodies: [ground, bob], gravitational_parameter: 0.1}
points:
  tip: {body: arm, at: [0.5, 0, 0]}
outputs:
  reach: "sqrt(tip.position.x^2 + tip.position.z^2)"
  lift: {formula: "2*reach + motor.power", unit: W}
simulation: {t_end: 1, output_interval: 0.1, record: all}
"""

XYZ = ("x", "y", "z")
COMPONENTS = {"position": XYZ, "orientation": ("0", "1", "2", "3"), "velocity": XYZ,
              "angular_velocity": XYZ, "acceleration": XYZ, "angular_acceleration": XYZ}


def split_header(header):
    """Names and units of a CSV file."""
    pairs = [re.fullmatch(r"(\S+?)(?: \[(.*)\])?", field).groups() for field in header]
    return dict(pairs)


class Channels(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("all.yaml", MODEL)

    def run_model(self, *arguments):
        outputs = [self.path("a.csv"), self.path("a.h5")]
        done = self.trammel("run", self.model, "-q", *arguments, "-o", outputs[0], "-o", outputs[1])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return read_csv(outputs[0])

    def read_hdf5(self):
        """Name, unit and values of every column of the HDF5 file, as docs/reference/results.md says."""
        channels = {}
        with h5py.File(self.path("a.h5"), "r") as run:
            for name, data in run.items():
                if not isinstance(data, h5py.Dataset) or "axes" not in data.attrs:
                    continue
                units = data.attrs["unit"]
                if "names" not in data.attrs:
                    word = name.replace("violation_", "violation.")
                    channels[word] = (units.decode(), data[:])
                    continue
                names = [text.decode() for text in data.attrs["names"]]
                components = [text.decode() for text in data.attrs.get("components", [])]
                suffix = name.removeprefix("coordinate") if name.startswith("coordinate_") else ""
                for i, item in enumerate(names):
                    if components:
                        for k, component in enumerate(components):
                            channels[f"{item}.{name}.{component}"] = (units.decode(), data[:, i, k])
                    else:
                        channels[item + suffix] = (units[i].decode(), data[:, i])
        return channels

    def test_names_are_those_of_the_hdf5_file(self):
        header, rows = self.run_model()
        csv = split_header(header)
        self.assertEqual(len(csv), len(header), "a name occurs twice")
        hdf5 = self.read_hdf5()
        self.assertEqual(set(csv), set(hdf5))
        for k, (name, unit) in enumerate(csv.items()):
            self.assertEqual(unit or "", hdf5[name][0], name)
            self.assertEqual([row[k] for row in rows], list(hdf5[name][1]), name)
        # one of each kind of thing
        for name in ("arm.position.x", "bob.angular_acceleration.z", "hinge.reaction_force.y",
                     "wheel.angle", "rail.travel_rate", "hinge.angle_acceleration",
                     "mesh.wheel.torque", "mesh.wheel.power", "feed.force", "feed.travel",
                     "motor.torque", "motor.angle_rate", "spring.length", "spring.energy",
                     "law.force", "grease.power", "push.force.x", "twist.torque.z",
                     "pad.rotation_rate.y", "air.torque.x", "wind.power", "star.energy",
                     "tip.acceleration.z", "reach", "lift", "kinetic_energy"):
            self.assertIn(name, csv)
        self.assertEqual(csv["lift"], "W")

    def test_names_and_values_are_those_of_the_json_summary(self):
        header, rows = self.run_model()
        self.trammel("export", self.path("a.h5"), "-o", self.path("a.json"))
        summary = json.loads((self.folder / "a.json").read_text("utf-8"))
        csv = split_header(header)
        # coordinates, loads and force elements, without what belongs to bodies, joints and the run
        expected = {name for name in csv if re.match(
            r"(hinge|wheel|rail|mesh|feed|motor|spring|law|grease|push|twist|pad|air|wind|star)[.]", name)
            and not re.search(r"reaction_|^(hinge|wheel|rail)[.]\w+_(rate|acceleration)$", name)}
        self.assertEqual(set(summary["ranges"]), expected)
        for name, of in summary["ranges"].items():
            column = [row[header.index(f"{name} [{of['unit']}]")] for row in rows]
            times = [row[0] for row in rows]
            self.assertEqual((of["low"], of["high"]), (min(column), max(column)), name)
            self.assertEqual(column[times.index(of["t_low"])], of["low"], name)
            self.assertEqual(column[times.index(of["t_high"])], of["high"], name)
        force = summary["largest_reaction"]["force"]
        largest = max(math.hypot(*(row[header.index(f"{force['joint']}.reaction_force.{c} [N]")]
                                   for c in "xyz")) for row in rows)
        self.assertAlmostEqual(force["value"], largest, delta=1e-12 * largest)

    def test_names_are_those_of_the_page(self):
        done = self.trammel("run", self.model, "-q", "-o", self.path("a.html"), "-o",
                            self.path("a.csv"))
        if "has no pages" in done.stderr:
            self.skipTest("built without pages")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = (self.folder / "a.html").read_text("utf-8")
        head = json.loads(re.search(r'<script[^>]*id="page-head"[^>]*>(.*?)</script>', page,
                                    re.S).group(1))
        run = head["runs"][0]
        names = {"time"}
        for table in run["tables"]:
            if table["array"] in run["arrays"]:
                names.update(table["names"])
        for name in COMPONENTS:
            if name in run["arrays"]:
                names.update(f"{body['name']}.{name}.{component}" for body in run["scene"]["bodies"]
                             for component in COMPONENTS[name])
        for word in ("force", "moment"):
            names.update(f"{joint['name']}.reaction_{word}.{component}"
                         for joint in run["scene"]["joints"] for component in XYZ)
        csv = split_header(read_csv(self.path("a.csv"))[0])
        of_the_run = {name for name in csv if "." not in name or name.startswith("violation.")}
        outputs = {"reach", "lift"}
        self.assertEqual(names - {"time"}, set(csv) - (of_the_run - outputs))

    def test_selection(self):
        header, _ = self.run_model("--record", "motor.*", "hinge.force", "arm.yaw", "t*n.x")
        names = list(split_header(header))
        self.assertEqual(names[0], "time")
        self.assertEqual(set(names[1:]), {
            "motor.torque", "motor.angle", "motor.angle_rate", "motor.power",
            "hinge.reaction_force.x", "hinge.reaction_force.y", "hinge.reaction_force.z",
            "hinge.reaction_force.magnitude", "arm.yaw", "reach", "tip.position.x",
            *(f"tip.acceleration.{axis}" for axis in XYZ)} | set(self.always()))
        self.assert_fails(3, "--record: no channel is called 'motr.*'", "run", self.model,
                          "--record", "motr.*")
        self.assert_fails(3, "--record: no channel is called 'motr.torque' (did you mean "
                             "'motor.torque'?)", "run", self.model, "--record", "motr.torque")

    def always(self):
        """Named points and outputs of the model are always written."""
        header, _ = self.run_model("--record", "tip.position.x")
        return list(split_header(header))[1:]

    def test_times_are_decimal_multiples_of_the_interval(self):
        for interval, decimals in (("0.1", 1), ("0.3", 1), ("0.07", 2), ("1e-3", 3)):
            self.run_model("--output-interval", interval, "--t-end", "2")
            lines = (self.folder / "a.csv").read_text("utf-8").splitlines()[1:]
            written = [line.split(",")[0] for line in lines]
            step = round(float(interval) * 10 ** decimals)
            count = 2 * 10 ** decimals // step
            exact = [f"{k * step / 10 ** decimals:.{decimals}f}" for k in range(count + 1)]
            exact = [text.rstrip("0").rstrip(".") if "." in text else text for text in exact]
            if count * step < 2 * 10 ** decimals:
                exact.append("2")
            self.assertEqual(written, exact)

    def test_errors_in_the_model_have_their_place(self):
        model = self.write("bad.yaml", MODEL.replace("2*reach + motor", "2*reach + motr"))
        self.assert_fails(1, f"{model}:33:30: outputs.lift.formula: no channel is called "
                             "'motr.power' (did you mean 'motor.power'?)\n", "run", model)
        done = self.trammel("check", model)
        self.assertEqual(done.returncode, 1)
        self.assertIn("line 33:30: outputs.lift.formula: no channel", done.stdout)
        model = self.write("clash.yaml", MODEL.replace("  motor:", "  feed:").replace(
            "motor.power", "feed.power"))
        self.assert_fails(1, "forces.feed: a driver has the same name", "run", model)


class Repository(CommandLineTest):
    def test_motors_of_the_arm_at_rest(self):
        # kp·error = weight moment, by hand: 25.613 N m at the shoulder, 8.8677 N m at the elbow
        files = [self.path("arm.csv"), self.path("arm.h5")]
        done = self.trammel("run", MODELS / "new_user" / "arm_pd.yaml", "-q", "-o", files[0], "-o",
                            files[1])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        header, rows = read_csv(files[0])
        for name, torque in (("motor1.torque", 25.613), ("motor2.torque", 8.8677)):
            self.assertAlmostEqual(rows[-1][header.index(f"{name} [N m]")], torque, delta=6e-4)
            with h5py.File(files[1], "r") as run:
                names = [text.decode() for text in run["element"].attrs["names"]]
                self.assertAlmostEqual(run["element"][-1, names.index(name)], torque, delta=6e-4)

    def test_no_name_occurs_twice_in_any_model(self):
        for model in sorted(MODELS.rglob("*.yaml")):
            done = self.trammel("run", model, "-q", "--max-steps", "3", "--record", "all",
                                "-o", self.path("a.csv"))
            if done.returncode not in (0, 2):
                continue
            header, _ = read_csv(self.path("a.csv"))
            self.assertEqual(len(split_header(header)), len(header), model)


if __name__ == "__main__":
    unittest.main()
