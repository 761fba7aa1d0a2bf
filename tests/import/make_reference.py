#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Accelerations of imported models by other programs, at random states: MuJoCo for MJCF, Pinocchio for URDF.

Writes NAME.json for each model named on the command line, into the folder of this script's `reference`. Needs
the packages of requirements.txt. Equalities are rigid here: the accelerations solve

    M q̈ + Jᵀλ = f − c,   J q̈ = −J̇ q̇

with M, c, f and J of the other program, at states on the manifold. What Trammel leaves out is switched off:
contact, limits, friction, actuators. Usage: make_reference.py [--states N] FILE ...
"""
import argparse
import base64
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np


def pack(values):
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode()


def solve_rigid(mass, force, jacobian, drift):
    """The accelerations of the rows J q̈ + drift = 0, which may repeat each other."""
    if jacobian.shape[0] == 0:
        return np.linalg.solve(mass, force)
    free = np.linalg.solve(mass, force)
    back = np.linalg.solve(mass, jacobian.T)
    schur = jacobian @ back
    multipliers = np.linalg.pinv(schur, rcond=1e-11) @ (jacobian @ free + drift)
    return free - back @ multipliers


def onto_kernel(jacobian, velocity):
    return velocity - np.linalg.pinv(jacobian, rcond=1e-9) @ (jacobian @ velocity)


# ---- MuJoCo

def load_mujoco(path):
    import mujoco
    flags = mujoco.mjtDisableBit
    off = (flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS | flags.mjDSBL_ACTUATION)
    if "<mesh" not in path.read_text(encoding="utf-8"):
        model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.disableflags |= off
        return model
    root = ET.parse(path).getroot()

    def strip(element):
        for child in list(element):
            mesh = child.tag == "geom" and (child.get("mesh") or child.get("type") == "mesh")
            if mesh or child.tag in ("texture", "mesh", "actuator", "sensor", "material", "keyframe"):
                element.remove(child)
            else:
                child.attrib.pop("material", None)
                strip(child)

    strip(root)
    model = mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))
    model.opt.disableflags |= off
    return model


class MujocoStates:
    def __init__(self, path):
        import mujoco
        self.mujoco = mujoco
        self.model = load_mujoco(path)
        self.data = mujoco.MjData(self.model)
        m = self.model
        self.names = [mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_BODY, b) or f"body_{b}"
                      for b in range(1, m.nbody)]
        self.between = []

        # between several joints of a body: the body with the later joints at their reference
        for b in range(1, m.nbody):
            first, count = m.body_jntadr[b], m.body_jntnum[b]
            for k in range(1, count):
                self.between.append((b, list(range(first + k, first + count))))
                self.names.append(f"{self.names[b - 1]}_{k}")

    def equality(self, q):
        """Residual and Jacobian of the equalities."""
        self.data.qpos[:] = q
        self.data.qvel[:] = 0
        self.mujoco.mj_fwdPosition(self.model, self.data)
        n = self.data.ne
        dense = np.zeros((self.data.nefc, self.model.nv))
        if self.data.nefc:
            if self.mujoco.mj_isSparse(self.model):
                self.mujoco.mju_sparse2dense(dense, self.data.efc_J, self.data.efc_J_rownnz,
                                             self.data.efc_J_rowadr, self.data.efc_J_colind)
            else:
                dense = self.data.efc_J.reshape(-1, self.model.nv)[:self.data.nefc].copy()
        return self.data.efc_pos[:n].copy(), dense[:n].copy()

    def move(self, q, v, h):
        q = q.copy()
        self.mujoco.mj_integratePos(self.model, q, v, h)
        return q

    def state(self, random):
        m = self.model
        for _ in range(200):
            q = self.move(m.qpos0, random.uniform(-0.5, 0.5, m.nv), 1.0)
            for _ in range(60):
                residual, jacobian = self.equality(q)
                if not residual.size or np.abs(residual).max() < 1e-14:
                    break
                q = self.move(q, -np.linalg.pinv(jacobian, rcond=1e-9) @ residual, 1.0)
            residual, jacobian = self.equality(q)
            singular = np.linalg.svd(jacobian, compute_uv=False) if residual.size else [1.0]
            large = [s for s in singular if s > 1e-8 * singular[0]]
            if (not residual.size or np.abs(residual).max() < 1e-12) and large[-1] > 0.02 * large[0]:
                break
        v = random.uniform(-1, 1, m.nv)
        if residual.size:
            v = onto_kernel(jacobian, v)
        return q, v, self.accelerate(q, v)

    def accelerate(self, q, v):
        m, d, mujoco = self.model, self.data, self.mujoco

        def rate(h):
            return (self.equality(self.move(q, v, h))[1] @ v - self.equality(self.move(q, v, -h))[1] @ v) / (2 * h)

        drift = np.zeros(0)
        if self.equality(q)[0].size:  # central differences, twice extrapolated
            h = 4e-3
            a, b, c = rate(h), rate(h / 2), rate(h / 4)
            ab, bc = (4 * b - a) / 3, (4 * c - b) / 3
            drift = (16 * bc - ab) / 15
        jacobian = self.equality(q)[1]
        d.qpos[:], d.qvel[:] = q, v
        mujoco.mj_forward(m, d)
        mass = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, mass, d.qM)
        qacc = solve_rigid(mass, d.qfrc_passive - d.qfrc_bias, jacobian, drift)
        d.qacc[:] = qacc
        mujoco.mj_rnePostConstraint(m, d)
        rows = [self.row(b) for b in range(1, m.nbody)]
        for b, later in self.between:
            d.qpos[:], d.qvel[:], d.qacc[:] = q, v, qacc
            for k in later:  # hinges and slides only
                d.qpos[m.jnt_qposadr[k]] = m.qpos0[m.jnt_qposadr[k]]
                d.qvel[m.jnt_dofadr[k]] = d.qacc[m.jnt_dofadr[k]] = 0
            acceleration = d.qacc.copy()
            mujoco.mj_fwdPosition(m, d)
            mujoco.mj_fwdVelocity(m, d)
            d.qacc[:] = acceleration
            mujoco.mj_rnePostConstraint(m, d)
            rows.append(self.row(b))
        return np.array(rows)

    def row(self, b):
        m, d, mujoco = self.model, self.data, self.mujoco
        velocity, acceleration = np.zeros(6), np.zeros(6)
        mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_XBODY, b, velocity, 0)
        mujoco.mj_objectAcceleration(m, d, mujoco.mjtObj.mjOBJ_XBODY, b, acceleration, 0)
        return np.concatenate([d.xpos[b], d.xquat[b], velocity[3:], velocity[:3],
                               acceleration[3:] + m.opt.gravity, acceleration[:3]])

    def masses(self):
        return self.model.body_mass[1:]


# ---- Pinocchio

class PinocchioStates:
    def __init__(self, path):
        import pinocchio
        self.pin = pinocchio
        self.model = pinocchio.buildModelFromUrdf(str(path))
        self.data = self.model.createData()
        self.loops = []
        self.last = None
        loop_file = path.with_suffix(".yaml")
        if loop_file.exists():
            import yaml
            content = yaml.safe_load(loop_file.read_text())
            for pair, kind in zip(content["closed_loop"], content["type"]):
                self.loops.append((self.frame(pair[0]), self.frame(pair[1]), 3 if kind == "3d" else 6))
        links = [f for f in self.model.frames if f.type == pinocchio.FrameType.BODY]
        self.names = [f.name for f in links]
        self.frames = [self.model.getFrameId(f.name, pinocchio.FrameType.BODY) for f in links]

    def frame(self, name):
        pin = self.pin
        for kind in (pin.FrameType.JOINT, pin.FrameType.FIXED_JOINT, pin.FrameType.BODY):
            if self.model.existFrame(name, kind):
                return self.model.getFrameId(name, kind)
        raise ValueError(name)

    def equality(self, q, v):
        """Residual, Jacobian and J̇ v of the loops."""
        pin, m, d = self.pin, self.model, self.data
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        pin.forwardKinematics(m, d, q, v, np.zeros(m.nv))
        pin.computeJointJacobians(m, d, q)
        pin.updateFramePlacements(m, d)
        residual, jacobian, drift = [np.zeros(0)], [np.zeros((0, m.nv))], [np.zeros(0)]
        for a, b, rows in self.loops:
            A, B = d.oMf[a], d.oMf[b]
            turn = A.rotation @ pin.log3(A.rotation.T @ B.rotation)
            residual.append(np.concatenate([B.translation - A.translation, turn])[:rows])
            jacobian.append((pin.getFrameJacobian(m, d, b, world) - pin.getFrameJacobian(m, d, a, world))[:rows])
            accelerations = [pin.getFrameClassicalAcceleration(m, d, f, world).vector for f in (a, b)]
            drift.append((accelerations[1] - accelerations[0])[:rows])
        return np.concatenate(residual), np.vstack(jacobian), np.concatenate(drift)

    def state(self, random):
        pin, m, d = self.pin, self.model, self.data
        while True:
            near = self.last if self.last is not None else pin.neutral(m)
            reach = 1.0 if self.last is None or not self.loops else 0.2
            q = pin.integrate(m, near, random.uniform(-reach, reach, m.nv))
            for _ in range(100):
                residual, jacobian, _ = self.equality(q, np.zeros(m.nv))
                if not residual.size or np.abs(residual).max() < 1e-15:
                    break
                step = -np.linalg.pinv(jacobian, rcond=1e-6) @ residual
                q = pin.integrate(m, q, step * min(1.0, 0.3 / (1e-12 + np.abs(step).max())))
            residual, jacobian, _ = self.equality(q, np.zeros(m.nv))
            singular = np.linalg.svd(jacobian, compute_uv=False) if residual.size else [1.0]
            large = [s for s in singular if s > 1e-8 * singular[0]]
            if (not residual.size or np.abs(residual).max() < 1e-13) and large[-1] > 0.02 * large[0]:
                break
        self.last = q if self.last is None else self.last  # the others are near the first
        v = random.uniform(-1, 1, m.nv)
        if residual.size:
            v = onto_kernel(jacobian, v)
        _, jacobian, drift = self.equality(q, v)
        bias = pin.nonLinearEffects(m, d, q, v)
        mass = pin.crba(m, d, q)
        mass = np.triu(mass) + np.triu(mass, 1).T
        force = -bias - m.damping * v
        acceleration = solve_rigid(mass, force, jacobian, drift)
        pin.forwardKinematics(m, d, q, v, acceleration)
        pin.updateFramePlacements(m, d)
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        rows = []
        for f in self.frames:
            place = d.oMf[f]
            x, y, z, w = pin.Quaternion(place.rotation).coeffs()
            velocity = pin.getFrameVelocity(m, d, f, world)
            classical = pin.getFrameClassicalAcceleration(m, d, f, world)
            rows.append(np.concatenate([place.translation, [w, x, y, z], velocity.linear, velocity.angular,
                                        classical.linear, classical.angular]))
        return q, v, np.array(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--output", default=str(Path(__file__).parent / "reference"))
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    for file in map(Path, options.files):
        random = np.random.default_rng(1)
        source = (PinocchioStates if file.suffix == ".urdf" else MujocoStates)(file.resolve())
        states = [source.state(random)[2] for _ in range(options.states)]
        name = file.parent.name if file.stem == "robot" else file.stem
        text = json.dumps({"program": "Pinocchio" if file.suffix == ".urdf" else "MuJoCo",
                           "columns": "position, quaternion, velocity, angular velocity (world), accelerations",
                           "bodies": source.names, "states": [pack(state) for state in states]}, indent=0)
        Path(options.output, f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{name}: {len(states)} states of {len(source.names)} bodies")


if __name__ == "__main__":
    sys.exit(main())
