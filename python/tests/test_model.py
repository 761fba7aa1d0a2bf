# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
import json
import math

import numpy as np
import pytest

import trammel as tr
from conftest import MODELS, SLIDE


def test_parameters_by_name() -> None:
    crank = tr.load(MODELS / "paper/crank.yaml", torque=-60)
    assert crank.parameters["torque"] == -60
    assert dict(crank.parameters) == {"torque": -60, "half": 0.25, "half_rod": 0.9}
    crank.parameters["half"] = "0.2 + 0.1"
    assert math.isclose(crank.parameters["half"], 0.3)
    with pytest.raises(KeyError, match="torque"):
        crank.parameters["torqe"]
    with pytest.raises(tr.ModelError, match="torqe"):
        crank.parameters["torqe"] = 3
    assert math.isclose(crank.parameters["half"], 0.3)


def test_errors_have_their_places() -> None:
    with pytest.raises(tr.ModelError) as caught:
        tr.loads(SLIDE.replace("mass: 2", "mass: -2").replace("[ground, b]", "[ground, c]"), name="slide.yaml")
    first, second = caught.value.mistakes
    assert (first.file, first.line, first.path) == ("slide.yaml", 4, "bodies.b.mass")
    assert first.column == SLIDE.splitlines()[3].index("2") + 1
    assert "greater than 0" in first.reason or "must" in first.reason
    assert second.path == "joints.s.bodies[1]" and second.line == 5
    assert caught.value.errors == caught.value.mistakes
    assert "slide.yaml:4" in str(caught.value)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(tr.FileError, match="nowhere.yaml"):
        tr.load("nowhere.yaml")


def test_every_model_survives_as_data() -> None:
    for path in sorted(MODELS.rglob("*.yaml")):
        model = tr.load(path)
        before = model.text
        assert model.document["trammel"] == 1
        again = tr.loads(json.dumps(model.document), name=str(path))
        assert again.check().dof == model.check().dof, path
        assert model.text == before, path  # not changed: the text of the file, with its comments


def test_same_bits_from_data(crank: tr.Model) -> None:
    again = tr.loads(json.dumps(crank.document))
    assert np.array_equal(again.run(t_end=1)["rod.position"], crank.run(t_end=1)["rod.position"])


def test_edits_by_name(crank: tr.Model) -> None:
    heavy = crank.copy()
    heavy.bodies["rod"].mass = 140.58
    heavy.forces["wind"] = {"kind": "force", "body": "rod", "value": ["-2*rod.velocity.x", 0, 0]}
    heavy.simulation["rtol"] = 1e-9
    assert heavy.bodies["rod"].mass == 140.58 and crank.bodies["rod"].mass == 70.29
    assert list(heavy.forces) == ["motor", "wind"]
    assert heavy.run(t_end=0.5).summary["options"]["rtol"] == 1e-9
    assert not np.array_equal(heavy.run(t_end=0.5)["rod.position"], crank.run(t_end=0.5)["rod.position"])
    del heavy.forces["wind"]
    assert "wind" not in heavy.text
    heavy.bodies["rod"].position[0] = "half_rod"  # in place, within a list
    assert heavy.run(t_end=0.1).outcome == "finished"


def test_errors_of_edits_name_the_part(crank: tr.Model) -> None:
    crank.bodies["rod"].mass = -1
    crank.joints["pin"].kind = "spherikal"
    with pytest.raises(tr.ModelError) as caught:
        crank.run()
    assert [one.path for one in caught.value.mistakes] == ["bodies.rod.mass", "joints.pin.kind"]
    with pytest.raises(KeyError, match="crank, rod, slider"):
        crank.bodies["rood"]
    with pytest.raises(AttributeError, match="mass"):
        crank.bodies["rod"].weight
    with pytest.raises(TypeError, match="cannot have"):
        crank.bodies["rod"].mass = object()


def test_options_are_checked(crank: tr.Model) -> None:
    for options, path in (({"rtol": -1}, "rtol"), ({"method": "euler"}, "method"), ({"t_ends": 3}, "t_ends"),
                          ({"t_end": "long"}, "t_end"), ({"t_end": math.nan}, "t_end"),
                          ({"threads": 1.5}, "threads"), ({"project_stages": 1}, "project_stages"),
                          ({"record": 3}, "record"), ({"t_end": True}, "t_end")):
        with pytest.raises(tr.ModelError) as caught:
            crank.run(**options)
        assert path in str(caught.value)
    assert {row[0] for row in tr.options()} >= {"t_end", "rtol", "method"}


def test_check(crank: tr.Model) -> None:
    report = crank.check()
    assert (report.ok, report.dof, report.bodies, report.joints) == (True, 1, 3, 4)
    assert "mobility" in repr(report)
    assert repr(crank) == "<trammel.Model crank: 3 bodies, 4 joints, 1 degree of freedom>"


def test_import_of_other_formats() -> None:
    with pytest.warns(tr.RunWarning):
        robot = tr.load(MODELS.parent / "tests/import/robots/5bar_linkage/robot.urdf")
    assert robot.check().bodies > 0


def test_written_models_are_read_again(crank: tr.Model, tmp_path: object) -> None:
    path = f"{tmp_path}/crank.yaml"
    changed = crank.with_parameters(torque=-70)
    changed.write(path)
    assert tr.load(path).parameters["torque"] == -70


def test_evaluator(crank: tr.Model) -> None:
    at = crank.evaluator()
    assert at.body_names == ["crank", "rod", "slider"]
    jacobian, mass = at.jacobian(), at.mass()
    assert jacobian.shape == (17, 18) and mass.shape == (18, 18)
    assert np.abs(at.constraints()).max() < 1e-12
    # M u̇ + Jᵀ λ = F: the weight and the motor, as far as rows of positions go
    linear, _ = at.acceleration("slider")
    assert abs(linear[1]) < 1e-9
    state = at.body("rod")
    state.velocity = [1.0, 2.0, 3.0]
    at.set_body("rod", state)
    assert math.isclose(at.energy()[0], 0.5 * 70.29 * 14)
    with pytest.raises(ValueError, match="wheel"):
        at.body("wheel")
    with pytest.raises(ValueError):
        at.set_state([state])
