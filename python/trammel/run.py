# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run leaves behind, by name."""

from __future__ import annotations

import html
import importlib
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .errors import RunWarning

if TYPE_CHECKING:
    from .model import Model

Array = NDArray[np.float64]
_AXES = (("x", "y", "z"), ("0", "1", "2", "3"))


class Part:
    """A body, joint or other part of a run: its channels as attributes (``run.joints["pin"].force``)."""

    def __init__(self, run: Any, name: str) -> None:
        self._run = run
        self.name = name

    def __getattr__(self, quantity: str) -> Any:
        if quantity.startswith("__"):
            raise AttributeError(quantity)
        for name in (quantity, f"reaction_{quantity}"):
            try:
                return self._run[f"{self.name}.{name}"]
            except KeyError:
                continue
        raise AttributeError(f"nothing is recorded as '{self.name}.{quantity}'; there is: {', '.join(dir(self))}")

    def __dir__(self) -> list[str]:
        start = self.name + "."
        return sorted({one[len(start):].split(".")[0] for one in self._run if one.startswith(start)})

    def __repr__(self) -> str:
        return f"{self.name}: {', '.join(dir(self))}"


class Parts(Mapping[str, Part]):
    """Parts of a run by name."""

    def __init__(self, run: Any, names: list[str]) -> None:
        self._run = run
        self._names = names

    def __getitem__(self, name: str) -> Part:
        if name not in self._names:
            raise KeyError(f"'{name}' is none of: {', '.join(self._names)}")
        return Part(self._run, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Run(Mapping[str, Array]):
    """The results of a run: one array per channel, all over the times ``run.t``.

    ``run["rod.position.x"]``, or all components as columns, ``run["rod.position"]``. SI units, world axes but for
    angular velocities, which are in the axes of their body; ``run.units`` has the units. Arrays are read-only
    views of the numbers, without a copy, where those are stored.
    """

    def __init__(self, core: _core.Results) -> None:
        self._core = core
        self._units: dict[str, str] | None = None
        self._interpolator: _core.Interpolator | None = None

    # ---- channels

    @property
    def units(self) -> dict[str, str]:
        """The unit of each channel."""
        if self._units is None:
            self._units = dict(self._core.channels())
        return self._units

    def __getitem__(self, name: str) -> Array:
        if not isinstance(name, str):
            raise TypeError("channels have names, such as 'rod.position.x'")
        try:
            return self._core.column(name)
        except ValueError as error:
            for axes in _AXES:
                if all(f"{name}.{axis}" in self.units for axis in axes):
                    columns = np.stack([self._core.column(f"{name}.{axis}") for axis in axes], axis=1)
                    columns.flags.writeable = False
                    return columns
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.units)

    def __len__(self) -> int:
        return len(self.units)

    def __contains__(self, name: object) -> bool:
        return name in self.units

    @property
    def t(self) -> Array:
        """The output times, s."""
        return self._core.column("time")

    @property
    def bodies(self) -> Parts:
        """The bodies: ``run.bodies["rod"].velocity``."""
        return Parts(self, self._core.body_names)

    @property
    def joints(self) -> Parts:
        """The joints: ``.force`` and ``.moment`` on the second body, ``.angle`` or ``.travel`` and their rates."""
        return Parts(self, self._core.joint_names)

    def at(self, t: float) -> dict[str, Any]:
        """The bodies at a time, also between two output times: joints are closed there, too.

        Returns:
            position, orientation, velocity and angular_velocity of each body, ``run.at(3.2)["rod.velocity"]``.
        """
        if self._interpolator is None:
            self._interpolator = _core.make_interpolator(self._core)
        values: dict[str, Any] = {}
        for name, state in zip(self._core.body_names, self._interpolator.at(float(t)), strict=True):
            for quantity in ("position", "orientation", "velocity", "angular_velocity"):
                values[f"{name}.{quantity}"] = np.array(getattr(state, quantity))
        if self._interpolator.why_open:
            warnings.warn(f"joints are open by the error of interpolation: {self._interpolator.why_open}",
                          RunWarning, stacklevel=2)
        return values

    # ---- how it went

    @property
    def outcome(self) -> str:
        """``finished``, ``interrupted``, ``step_too_small``, ``too_many_steps`` or ``open_joint``."""
        return self._core.outcome

    @property
    def message(self) -> str:
        """Why the run ended."""
        return self._core.message

    @property
    def warnings(self) -> list[str]:
        """What the run found worth saying."""
        return self._core.warnings

    @property
    def summary(self) -> dict[str, Any]:
        """All counters, options and largest errors, as ``-o run.json`` writes them."""
        summary: dict[str, Any] = json.loads(self._core.to_json())
        return summary

    def report(self) -> str:
        """Everything that is known about the run, as text."""
        return self._core.full_report()

    def _warn(self) -> None:
        if self.outcome != "finished":
            warnings.warn(self.message, RunWarning, stacklevel=3)

    # ---- files and pictures

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes ``.h5``, ``.csv``, ``.json``, ``.html``, ``.svg`` or ``.png``, as the ending says."""
        name = os.fspath(path)
        ending = os.path.splitext(name)[1]
        writers: dict[str, Callable[[str], Any]] = {
            ".h5": self._core.write_hdf5, ".csv": self._core.write_csv, ".json": self._core.write_json,
            ".html": self._core.write_page, ".svg": lambda one: self._core.write_picture(one, None, 800),
            ".png": lambda one: self._core.write_picture(one, None, 800)}
        if ending not in writers:
            raise ValueError(f"'{ending}' is no ending of a file of results: {', '.join(writers)}")
        writers[ending](name)

    def html(self) -> str:
        """The page of the run: the mechanism in 3D with plots, about 1 MB."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.html")
            self._core.write_page(path)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def show(self, height: int = 600) -> Any:
        """The page of the run in the cell of a notebook."""
        return Page(self.html(), height)

    def svg(self, t: float | None = None, width: int = 480, trail: float = 0.0) -> str:
        """A picture of the mechanism at a time; `trail`: paths of the bodies over so many seconds before."""
        return self._core.draw_svg(t, width, trail)

    def to_pandas(self) -> Any:
        """All channels as a ``pandas.DataFrame`` over the time."""
        pd = importlib.import_module("pandas")

        return pd.DataFrame({name: self[name] for name in self if name != "time"}, index=pd.Index(self.t, name="t"))

    def to_xarray(self) -> Any:
        """All channels as an ``xarray.Dataset`` over the time, with their units."""
        xr = importlib.import_module("xarray")

        return xr.Dataset({name: ("t", self[name], {"units": unit}) for name, unit in self.units.items()
                           if name != "time"}, coords={"t": self.t})

    def __repr__(self) -> str:
        return self._core.brief_report()

    def _repr_html_(self) -> str:
        rows = []
        for line in self._core.brief_report().splitlines()[1:]:
            word, _, rest = line.strip().partition("  ")
            indent = line.startswith("   ")
            rows.append(f"<tr><td>{'' if indent else html.escape(word)}</td>"
                        f"<td style='text-align:left'>{html.escape(line.strip() if indent else rest.strip())}</td></tr>")
        try:
            picture = self.svg(width=320)
        except ValueError:
            picture = ""
        return (f"<div><b>{html.escape(self._core.model_name)}</b><div style='max-width:320px'>{picture}</div>"
                f"<table>{''.join(rows)}</table></div>")


class Page:
    """A page of a run for a notebook."""

    def __init__(self, text: str, height: int) -> None:
        self.text = text
        self.height = height

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.text)}" width="100%" height="{self.height}" '
                'style="border:0" sandbox="allow-scripts"></iframe>')


def read_results(path: str | os.PathLike[str]) -> Run:
    """Reads a run from an HDF5 file, also of one that was killed."""
    return Run(_core.read_results(os.fspath(path)))


def compare(runs: Mapping[str, Run], path: str | os.PathLike[str]) -> None:
    """Writes a page that shows several runs, under their names."""
    _core.write_comparison([run._core for run in runs.values()], os.fspath(path), list(runs))


class Batch:
    """Runs of many variants: ``batch["rod.position.x"]`` has their shape in front of the times.

    Attributes:
        shape: of the parameters, broadcast.
        parameters: the values by name, of that shape.
        runs: the runs in a flat list (None: stopped before it began).
    """

    def __init__(self, runs: list[Run | None], shape: tuple[int, ...], parameters: dict[str, Array]) -> None:
        self.runs = runs
        self.shape = shape
        self.parameters = parameters

    @staticmethod
    def run(model: Model, threads: int | None, options: dict[str, Any], progress: Any,
            parameters: dict[str, Any]) -> Batch:
        """Runs them; see :meth:`Model.batch`."""
        names = list(parameters)
        try:
            arrays = np.broadcast_arrays(*[np.asarray(one, dtype=float) for one in parameters.values()])
        except ValueError as error:
            raise ValueError(f"parameters of a batch: {error}") from None
        shape = arrays[0].shape if arrays else ()
        values = dict(zip(names, arrays, strict=True))
        members = [model.with_parameters(**{name: float(values[name].flat[k]) for name in names})._compiled()
                   for k in range(int(np.prod(shape)))]
        if threads is None:
            threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        with follow(progress, "batch") as callback:
            found = _core.run_ensemble(members, options, threads, callback)
        runs = [None if one is None else Run(one) for one in found]
        bad = sum(one is None or one.outcome != "finished" for one in runs)
        if bad:
            warnings.warn(f"{bad} of {len(runs)} runs ended before their time", RunWarning, stacklevel=3)
        return Batch(runs, shape, values)

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Run | None]:
        return iter(self.runs)

    @property
    def t(self) -> Array:
        """The output times, s, of the longest run."""
        longest = max((one for one in self.runs if one is not None), key=lambda one: one.t.size)
        return longest.t

    def __getitem__(self, name: str) -> Array:
        columns = [None if one is None else one[name] for one in self.runs]
        known = [one for one in columns if one is not None]
        if not known:
            raise KeyError(name)
        longest = max(len(one) for one in known)
        # rows that a run did not reach are NaN
        whole = np.full((len(columns), longest, *known[0].shape[1:]), np.nan)
        for row, column in zip(whole, columns, strict=True):
            if column is not None:
                row[:len(column)] = column
        return whole.reshape(*self.shape, *whole.shape[1:])

    @property
    def outcomes(self) -> NDArray[np.str_]:
        """How each run ended."""
        words = ["interrupted" if one is None else one.outcome for one in self.runs]
        return np.array(words, dtype=str).reshape(self.shape)


@contextmanager
def follow(progress: bool | Callable[[float, float], Any] | None, name: str) -> Iterator[Any]:
    """The callback of a run: none, a progress bar, or the user's."""
    if callable(progress):
        yield progress
        return
    if progress is None:
        progress = sys.stderr.isatty()
    if not progress:
        yield None
        return
    drawn = False

    def draw(t: float, t_end: float) -> None:
        nonlocal drawn
        drawn = True
        filled = int(30 * t / t_end) if t_end else 30
        sys.stderr.write(f"\r{name} [{'#' * filled}{'.' * (30 - filled)}] {t:.4g} of {t_end:.4g}")
        sys.stderr.flush()

    try:
        yield draw
    finally:
        if drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
