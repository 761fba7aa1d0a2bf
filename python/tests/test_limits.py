# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Wrong arguments, memory, time to import."""
import gc
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import trammel as tr
from conftest import MODELS, SLIDE

names = st.sampled_from(["b", "s", "k", "push", "spring", "b.position", "b.position.x", "time", "", "ü", "a\0b",
                         "x" * 3000, "s.travel"])
numbers = st.one_of(st.floats(), st.integers(), st.sampled_from([0, 1, -1, 1e308, 1e-308, 2**70]))
things: st.SearchStrategy[Any] = st.one_of(
    names, numbers, st.none(), st.booleans(), st.binary(max_size=40), st.text(max_size=40),
    st.lists(numbers, max_size=4), st.dictionaries(names, numbers, max_size=3), st.just(np.zeros((2, 3))),
    st.just(np.array(1.0)), st.just(object()))
words = st.sampled_from([row[0] for row in tr.options() if row[0] not in ("t_end", "max_steps")])
allowed = (TypeError, ValueError, KeyError, AttributeError, OSError, RuntimeError, OverflowError, MemoryError)
model = tr.loads(SLIDE, name="s")
run = model.run(t_end=0.1)
simulator = model.simulator()


def with_options(word: str, value: Any) -> None:
    model.run(**{"t_end": 0.001, "max_steps": 50, word: value})


def edit(section: str, name: str, key: str, value: Any) -> None:
    changed = model.copy()
    getattr(changed, section)[name] = value
    getattr(changed, section)[name][key] = value
    changed.run(t_end=0.001, max_steps=50)


def few_steps(stiffness: Any) -> None:
    model.batch(k=stiffness, threads=1, options={"t_end": 0.001, "max_steps": 50})


def damage(saved: bytes) -> None:
    tr.Simulator.restore(saved)


calls = [
    (tr.loads, things), (tr.load, things), (run.__getitem__, things), (run.at, things), (run.write, st.binary()),
    (simulator.state.__getitem__, things), (simulator.inputs.__setitem__, names, things), (damage, things),
    (model.parameters.__getitem__, things), (with_options, words, things), (few_steps, things),
    (lambda v: tr.loads(SLIDE, k=v), things), (lambda v: model.bodies["b"].__setattr__("mass", v), st.just(2)),
    (edit, st.sampled_from(["bodies", "joints", "forces", "states", "outputs"]), names, names, things),
    (lambda b, f: tr.Force(b, f).make_entry(3), things, things), (run.joints.__getitem__, things),
    (lambda b, v: model.evaluator().set_body(b, v), names, things), (lambda v: run.svg(v), things),
    (lambda v: model.evaluator().set_state(v, v), things),
]


@settings(max_examples=10_000, deadline=None, derandomize=True, database=None,
          suppress_health_check=list(HealthCheck))
@given(st.data())
def test_wrong_arguments_are_exceptions(data: st.DataObject) -> None:
    function, *kinds = data.draw(st.sampled_from(calls))
    arguments = [data.draw(kind) for kind in kinds]
    try:
        function(*arguments)
    except (*allowed, Warning):
        pass


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_stays_flat() -> None:
    def use() -> None:
        one = tr.loads(SLIDE)
        done = one.run(t_end=0.01, output_interval=0.001)
        assert done["b.position"].shape[1] == 3

    for _ in range(2000):
        use()
    gc.collect()
    before = resident()
    for _ in range(10_000):
        use()
    gc.collect()
    assert resident() - before < 4_000_000


def test_objects_may_go_in_any_order() -> None:
    import itertools

    for order in itertools.permutations(range(5)):
        crank = tr.load(MODELS / "paper/crank.yaml")
        sim = crank.simulator(t_end=1)
        done = crank.run(t_end=0.05)
        between = done.at(0.011)["rod.position"]
        kept: list[Any] = [crank, sim, done, done["rod.position"], between]
        del crank, sim, done, between
        for k in order:
            kept[k] = None
            gc.collect(0)


def test_import_is_quick() -> None:
    code = ("import time, numpy; begin = time.process_time(); import trammel; "
            "print(time.process_time() - begin)")
    seconds = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                    check=True).stdout) for _ in range(3)]
    assert min(seconds) < 0.2


def test_a_call_costs_little() -> None:
    """Of CPU, beyond what the run itself says it took."""
    pendulum = tr.load(MODELS / "paper/pendulum.yaml")
    pendulum.run(t_end=0.1)
    extra = []
    for _ in range(50):
        begin = time.process_time()
        one = pendulum.run(t_end=0.1)
        whole = time.process_time() - begin
        extra.append(whole - one.summary["cpu_seconds"]["total"])
    assert sorted(extra)[25] < 1e-3
