# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
import gc
import os
import pathlib
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest

import trammel as tr
from conftest import MODELS


def test_channels_are_views(crank: tr.Model) -> None:
    run = crank.run(t_end=1)
    x, r = run["rod.position.x"], run["rod.position"]
    assert x.shape == (1001,) and r.shape == (1001, 3)
    assert np.shares_memory(x, r)
    assert not x.flags.writeable and not r.flags.writeable
    with pytest.raises(ValueError):
        x[0] = 3
    assert run.units["rod.position.x"] == "m" and run.units["motor.torque.x"] == "N m"
    assert np.array_equal(x, r[:, 0])
    assert run["rod.orientation"].shape == (1001, 4)
    # derived ones, and short names
    size = run["pin.reaction_force.magnitude"]
    assert np.allclose(size, np.linalg.norm(run["pin.reaction_force"], axis=1), rtol=1e-14)
    assert np.array_equal(run.joints["pin"].force, run["pin.reaction_force"])
    assert np.array_equal(run.bodies["rod"].velocity, run["rod.velocity"])
    assert np.array_equal(run.joints["shaft"].angle, run["shaft.angle"])
    assert set(dir(run.joints["shaft"])) >= {"angle", "angle_rate", "reaction_force"}
    assert len(run) == len(list(run)) and "rod.position.x" in run


def test_every_channel_can_be_read(crank: tr.Model) -> None:
    run = crank.run(t_end=0.1)
    for name in run:
        assert run[name].shape == run.t.shape, name


def test_names_that_are_wrong(crank: tr.Model) -> None:
    run = crank.run(t_end=0.1)
    with pytest.raises(KeyError, match="rod.position.x"):
        run["rod.posision.x"]
    with pytest.raises(KeyError, match="pin"):
        run.joints["pim"]
    with pytest.raises(AttributeError, match="reaction_force"):
        run.joints["pin"].forse
    with pytest.raises(TypeError):
        run[3]  # type: ignore[index]


def test_arrays_outlive_the_run(crank: tr.Model) -> None:
    x = crank.run(t_end=0.5)["rod.position.x"]
    copy = x.copy()
    gc.collect()
    tr.loads(crank.text).run(t_end=0.5)
    assert np.array_equal(x, copy)


def test_between_output_times(crank: tr.Model) -> None:
    run = crank.run(t_end=4, output_interval=0.01, rtol=1e-10, atol=1e-10)
    fine = crank.run(t_end=4, output_interval=0.001, rtol=1e-10, atol=1e-10)
    at = run.at(3.217)
    k = int(np.argmin(np.abs(fine.t - 3.217)))
    assert np.allclose(at["rod.velocity"], fine["rod.velocity"][k], atol=3e-4)
    assert np.allclose(at["crank.angular_velocity"], fine["crank.angular_velocity"][k], atol=1e-3)
    # closed: the pin joins crank and rod
    assert np.allclose(at["rod.position"], fine["rod.position"][k], atol=1e-7)
    with pytest.raises(ValueError, match="outside"):
        run.at(4.5)


def test_files(crank: tr.Model, tmp_path: pathlib.Path) -> None:
    run = crank.run(t_end=1)
    for ending in ("h5", "csv", "json", "svg"):
        run.write(tmp_path / f"run.{ending}")
        assert (tmp_path / f"run.{ending}").stat().st_size > 1000
    again = tr.read_results(tmp_path / "run.h5")
    for name in run:
        assert np.array_equal(run[name], again[name]), name
    with h5py.File(tmp_path / "run.h5") as file:
        assert np.array_equal(file["time"][()], run.t)
    with pytest.raises(ValueError, match=".h5"):
        run.write(tmp_path / "run.xls")
    with pytest.raises(tr.FileError, match="nowhere"):
        run.write("/nowhere/run.csv")
    with pytest.raises(tr.FileError):
        tr.read_results(tmp_path / "run.csv")


def test_reports_and_pictures(crank: tr.Model) -> None:
    run = crank.run(t_end=1)
    assert repr(run).startswith("crank\n  mechanism  3 bodies")
    assert len(run.report()) > len(repr(run))
    html = run._repr_html_()
    assert "<svg" in html and "<table" in html and len(html) < 60_000
    assert run.summary["status"] == "finished"
    from trammel import _core
    if not _core.has_page():
        pytest.skip("built without the page")
    frame = run.show()._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and len(frame) > 100_000


def test_tables_on_request(crank: tr.Model) -> None:
    run = crank.run(t_end=0.1)
    frame = run.to_pandas()
    assert np.array_equal(frame["rod.position.x"].to_numpy(), run["rod.position.x"])
    data = run.to_xarray()
    assert data["rod.position.x"].attrs["units"] == "m"
    loaded = subprocess.run([sys.executable, "-c", "import sys, trammel; print('pandas' in sys.modules, "
                             "'xarray' in sys.modules)"], capture_output=True, text=True, check=True)
    assert loaded.stdout == "False False\n"


def test_a_run_that_stops_says_so(slide: tr.Model) -> None:
    slide.forces["blow"] = {"kind": "force", "body": "b", "value": ["1/(1 - t)", 0, 0]}
    with pytest.warns(tr.RunWarning, match="failed at t|stopped at t"):
        run = slide.run()
    assert run.outcome == "step_too_small" and 0.9 < run.t[-1] < 1.0
    assert run["b.position.x"].size == run.t.size


def test_progress(crank: tr.Model) -> None:
    seen: list[float] = []

    def stop_soon(t: float, t_end: float) -> bool:
        seen.append(t)
        return len(seen) < 2

    with pytest.warns(tr.RunWarning, match="interrupted"):
        run = crank.run(t_end=10_000, output_interval=1, progress=stop_soon)
    assert run.outcome == "interrupted" and 0 < run.t[-1] < 10_000 and seen == sorted(seen)

    def fail(t: float, t_end: float) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        crank.run(t_end=10_000, output_interval=1, progress=fail)


def test_interrupt_keeps_what_there_is() -> None:
    code = ("import trammel as tr, warnings, sys\n"
            f"model = tr.load({str(MODELS / 'paper/crank.yaml')!r})\n"
            "print('go', flush=True)\n"
            "run = model.run(t_end=1e5, output_interval=10)\n"
            "print(run.outcome, run.t[-1] > 0)\n")
    program = subprocess.Popen([sys.executable, "-W", "ignore", "-c", code], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None and program.stdout.readline() == "go\n"
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    assert program.communicate(timeout=60)[0] == "interrupted True\n"


def test_batch(crank: tr.Model) -> None:
    torque, half = np.array([-50.0, -55.0, -60.0]), np.array([0.24, 0.25])
    batch = crank.batch(torque=torque[:, None], half=half, options={"t_end": 0.5}, threads=2)
    assert batch.shape == (3, 2) and batch["rod.position.x"].shape == (3, 2, 1001)
    assert batch["rod.position"].shape == (3, 2, 1001, 3)
    assert (batch.outcomes == "finished").all()
    for i in range(3):
        for k in range(2):
            alone = crank.with_parameters(torque=torque[i], half=half[k]).run(t_end=0.5)
            assert np.array_equal(batch["rod.position"][i, k], alone["rod.position"])
    with pytest.raises(ValueError, match="batch"):
        crank.batch(torque=[1, 2], half=[1, 2, 3])
    with pytest.raises(tr.ModelError):
        crank.batch(torqe=[1, 2])
    assert len(crank.batch(torque=[])) == 0


def test_program() -> None:
    told = subprocess.run([sys.executable, "-m", "trammel", "check", str(MODELS / "paper/crank.yaml")],
                          capture_output=True, text=True, check=True)
    assert "mobility" in told.stdout
    failed = subprocess.run([sys.executable, "-m", "trammel", "run", "nowhere.yaml"], capture_output=True, text=True)
    assert failed.returncode != 0 and "nowhere.yaml" in failed.stderr


def test_threads_run_side_by_side(pendulum: tr.Model) -> None:
    import threading

    options = {"t_end": 200.0, "output_interval": 1.0}
    results: list[tr.Run] = []

    def work() -> None:
        results.append(tr.loads(pendulum.text).run(**options))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(results) == 4
    assert all(np.array_equal(results[0]["bar.position"], one["bar.position"]) for one in results)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
def test_the_lock_of_python_is_released(pendulum: tr.Model) -> None:
    """While a run goes, other threads of Python run, too: they count."""
    import threading

    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    pendulum.run(t_end=3000, output_interval=100)
    during = counted - before
    done.set()
    thread.join()
    assert during > 20
