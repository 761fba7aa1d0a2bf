# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Installs the build into a folder of its own, builds a ten-line program against it, runs both.

Usage: install_test.py CMAKE BUILD_DIR SOURCE_DIR COMPILER FLAGS
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nfailed:\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(found, what):
    if not found:
        sys.exit(f"not as expected: {what}")


def main():
    cmake, build, source, compiler, flags = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="trammel-install-") as folder:
        prefix, project = Path(folder, "prefix"), Path(folder, "hello")
        run(cmake, "--install", build, "--prefix", prefix)

        # The package must not point back at the tree it came from.
        for file in prefix.rglob("*.cmake"):
            text = file.read_text(encoding="utf-8")
            expect(build not in text and source not in text, f"{file} names the build or the source")

        run(cmake, "-S", Path(source, "tests", "install"), "-B", project, "-G", "Ninja",
            "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={flags}")
        run(cmake, "--build", project)
        pendulum = Path(source, "models", "paper", "pendulum.yaml")
        report = run(project / "hello", pendulum)
        expect("1 body, 1 joint, 3 degrees of freedom" in report, report)
        expect("\n  finished " in report, report)

        # A state evaluated by the installed library, against the reference file of the paper's crank.
        crank = Path(source, "models", "paper", "crank.yaml")
        reference = json.loads(
            Path(source, "tests", "reference", "paper_crank.json").read_text(encoding="utf-8"))
        body = reference["acceleration_at_0"]["bodies"][0]
        linear, angular = map(float, run(project / "evaluate", crank).split()[:2])
        for found, exact in ((linear, body["r2"][1]), (angular, body["Omega_dot_body"][2])):
            expect(abs(found - float(exact)) <= 1e-12 * abs(float(exact)), f"{found} is {exact}")

        # The installed program says the same, but for the time it took.
        installed = run(prefix / "bin" / "trammel", "run", pendulum)
        expect([line for line in installed.splitlines() if "CPU" not in line] ==
               [line for line in report.splitlines() if "CPU" not in line], installed)
        print(report)


if __name__ == "__main__":
    main()
