# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
import math
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest

import trammel as tr
from conftest import SLIDE


def test_steps_have_the_bits_of_a_run(crank: tr.Model) -> None:
    sim = crank.simulator(t_end=2)
    while sim.step():
        pass
    whole = crank.run(t_end=2, output_at_steps=True)
    stepped = sim.results()
    assert stepped.outcome == "finished" and sim.is_over
    for name in whole:
        assert np.array_equal(stepped[name], whole[name]), name


def test_inputs_and_state(slide: tr.Model) -> None:
    sim = slide.simulator(t_end=5)
    assert dict(sim.inputs) == {"push": 0.0}
    for _ in range(2000):
        sim.inputs["push"] = -40 * sim.state["s.travel_rate"]
        sim.advance(0.002)
    assert math.isclose(sim.t, 4.0, abs_tol=1e-12)
    assert abs(sim.state["s.travel"] + 0.3) < 5e-3  # damped, at the free length of the spring
    assert sim.state["b.position"].shape == (3,)
    assert np.array_equal(sim.state["b.position"], sim.bodies()["b"].position)
    with pytest.raises(ValueError, match="did you mean 'push'"):
        sim.inputs["pusch"] = 1
    with pytest.raises(KeyError, match="b.position"):
        sim.state["b.posision"]
    with pytest.raises(ValueError, match="forward"):
        sim.advance(-1)
    with pytest.raises((TypeError, ValueError)):
        sim.inputs["push"] = "much"  # type: ignore[assignment]


def test_parameters_change_between_steps(slide: tr.Model) -> None:
    sim = slide.simulator()
    sim.advance(0.5)
    q, v = sim.state["s.travel"] + 0.3, sim.state["s.travel_rate"]
    sim.parameters["k"] = 200
    sim.advance(1.0)
    w = 10.0
    assert math.isclose(sim.state["s.travel"] + 0.3, q * math.cos(w) + v / w * math.sin(w), abs_tol=1e-7)
    assert slide.parameters["k"] == 50


def test_restored_in_another_process_after_kill(tmp_path: pathlib.Path) -> None:
    """A process saves as it goes and is killed; another one goes on with the bits of the unbroken run."""
    (tmp_path / "slide.yaml").write_text(SLIDE)
    drive = ("import sys, os, signal, trammel as tr\n"
             "def act(sim, k):\n"
             "    sim.inputs['push'] = 3.0 * (-1) ** k\n"
             "    sim.step(0.01) if k % 2 else sim.step()\n")
    killed = drive + ("sim = tr.load('slide.yaml').simulator(t_end=20)\n"
                      "for k in range(1000):\n"
                      "    act(sim, k)\n"
                      "    sim.save('run.ckpt')\n"
                      "    open('k', 'w').write(str(k + 1))\n"
                      "    if k == 36: os.kill(os.getpid(), signal.SIGKILL)\n")
    goes_on = drive + ("sim = tr.Simulator.restore('run.ckpt')\n"
                       "for k in range(int(open('k').read()), 60): act(sim, k)\n"
                       "print(sim.results()['b.position.x'].tobytes().hex())\n")
    unbroken = drive + ("sim = tr.load('slide.yaml').simulator(t_end=20)\n"
                        "for k in range(60): act(sim, k)\n"
                        "print(sim.results()['b.position.x'].tobytes().hex())\n")

    def python(code: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)

    assert python(killed).returncode == -9
    first, second = python(goes_on), python(unbroken)
    assert first.returncode == 0, first.stderr
    assert len(first.stdout) > 500 and first.stdout == second.stdout


def test_checkpoints_that_are_damaged(slide: tr.Model) -> None:
    sim = slide.simulator()
    sim.advance(0.3)
    saved = sim.save()
    assert tr.Simulator.restore(saved).save() == saved
    for k in range(0, len(saved), 7):
        with pytest.raises((ValueError, tr.ModelError)):
            tr.Simulator.restore(saved[:k])
    for damaged in (b"", b"abc", bytes(100), saved[:-1] + b"x"):
        with pytest.raises(ValueError):
            tr.Simulator.restore(damaged)


def test_a_simulator_belongs_to_one_thread(pendulum: tr.Model) -> None:
    sim = pendulum.simulator(t_end=3000)
    refused: list[Exception] = []
    thread = threading.Thread(target=lambda: sim.advance(400))
    thread.start()
    while thread.is_alive():
        try:
            sim.state["bar.position.x"]
        except RuntimeError as error:
            refused.append(error)
    thread.join()
    assert refused and "another thread" in str(refused[0])
