# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""The Python package as a user gets it: a wheel, in a virtual environment of its own, and its tests there.

    package_test.py CMAKE BUILD SOURCE

The library is not built again: the wheel takes what BUILD has. Without PyPI the test is skipped (status 77), but
fails where CI is set. Needs no package itself.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
cmake, build, source = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
folder = build / "python"


def skip(reason: str) -> None:
    print(f"python: not tested: {reason}", flush=True)
    sys.exit(1 if os.environ.get("CI") else SKIPPED)


def find_interpreter() -> str:
    """One that can build modules: with its headers and venv."""
    asks = ("import sys, sysconfig, os, venv, ensurepip; "
            "sys.exit(sys.version_info < (3, 11) or not os.path.exists(sysconfig.get_path('include') + '/Python.h'))")
    for name in ("python3", "/usr/bin/python3", sys.executable):
        path = shutil.which(name)
        if path and subprocess.run([path, "-c", asks], capture_output=True).returncode == 0:
            return path
    return ""


def run(*command: str, **options: object) -> None:
    print("$", *command, flush=True)
    subprocess.run(command, check=True, **options)  # type: ignore[call-overload]


def main() -> None:
    interpreter = find_interpreter()
    if not interpreter:
        skip("no python3 from 3.11 on with venv and headers (Debian: python3-venv python3-dev)")
    lock = source / "python/requirements.txt"
    wanted = hashlib.sha256(lock.read_bytes() + interpreter.encode()).hexdigest()
    python = folder / "venv/bin/python"
    made = folder / "made"
    if not made.exists() or made.read_text() != wanted:
        shutil.rmtree(folder / "venv", ignore_errors=True)
        run(interpreter, "-m", "venv", str(folder / "venv"))
        fetched = subprocess.run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check",
                                  "--retries", "1", "--timeout", "20", "-r", str(lock)], capture_output=True, text=True)
        if fetched.returncode != 0:
            print(fetched.stderr[-2000:])
            skip("pip could not fetch the packages of python/requirements.txt")
        made.write_text(wanted)
    prefix = folder / "installed"
    run(cmake, "--install", str(build), "--prefix", str(prefix), stdout=subprocess.DEVNULL)
    run(str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-build-isolation", "--no-deps",
        "--force-reinstall", "-C", f"build-dir={folder / 'wheel'}", "-C", "cmake.define.TRAMMEL_INSTALLED=ON",
        "-C", f"cmake.define.CMAKE_PREFIX_PATH={prefix}", str(source))
    # outside of the sources, so that the installed package is tested
    environment = {**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    run(str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(source), str(source / "python/tests"),
        cwd=str(folder), env=environment)


if __name__ == "__main__":
    main()
