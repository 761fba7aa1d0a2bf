# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Installs the build into a folder of its own, builds a ten-line program and the recipes of docs/reference/cpp.md
against it, runs all of them. With TRAMMEL_RENEW_DOCS=1 the outputs in the page are written anew.

Usage: install_test.py CMAKE BUILD_DIR SOURCE_DIR COMPILER FLAGS
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from sessions import is_same, split_session, write_session  # noqa: E402


def run(*command, folder=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, cwd=folder)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nfailed:\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(found, what):
    if not found:
        sys.exit(f"not as expected: {what}")


def write_recipes(page, folder):
    """The programs that the page shows, as files."""
    recipes = re.findall(r"^```cpp\n(// (\w+)\.cpp\n.*?)^```$", page.read_text("utf-8"), re.M | re.S)
    expect(len(recipes) >= 7, f"seven recipes in {page.name}")
    for text, name in recipes:
        (folder / f"{name}.cpp").write_text(text, "utf-8")
    return [name for _, name in recipes]


def run_recipes(page, names, build, models):
    """Each './NAME' of the page prints what the page says."""
    (build / "models").symlink_to(models)
    text, done = page.read_text("utf-8"), set()

    def take(match):
        session = []
        for command, expected in split_session(match.group(1)):
            done.add(command[2:])
            actual = run(command, folder=build).splitlines()
            if os.environ.get("TRAMMEL_RENEW_DOCS") != "1":
                expect(is_same(expected, actual), f"{page.name}: {command} prints\n" + "\n".join(actual))
            session.append((command, expected, actual))
        return write_session(session)

    renewed = re.sub(r"^```sh\n(.*?)^```$", take, text, flags=re.M | re.S)
    expect(done == set(names), f"every recipe is run: {done} of {names}")
    if renewed != text and os.environ.get("TRAMMEL_RENEW_DOCS") == "1":
        page.write_text(renewed, "utf-8")


def main():
    cmake, build, source, compiler, flags = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="trammel-install-") as folder:
        prefix, project = Path(folder, "prefix"), Path(folder, "hello")
        run(cmake, "--install", build, "--prefix", prefix)

        # The package must not point back at the tree it came from.
        for file in prefix.rglob("*.cmake"):
            text = file.read_text(encoding="utf-8")
            expect(build not in text and source not in text, f"{file} names the build or the source")

        sources = Path(folder, "sources")
        shutil.copytree(Path(source, "tests", "install"), sources)
        page = Path(source, "docs", "reference", "cpp.md")
        recipes = write_recipes(page, sources)
        readme = Path(source, "README.md").read_text("utf-8")
        first = re.search(r"^```cpp\n(.*?)^```$", readme, re.M | re.S).group(1)
        Path(sources, "readme.cpp").write_text(first, "utf-8")
        run(cmake, "-S", sources, "-B", project, "-G", "Ninja",
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

        run_recipes(page, recipes, project, Path(source, "models"))
        Path(project, "pendulum.yaml").symlink_to(pendulum)
        first = run(project / "readme", folder=project)
        expect(first.startswith("pendulum\n") and "\n  finished " in first, first)

        # The installed program says the same, but for the time it took.
        installed = run(prefix / "bin" / "trammel", "run", pendulum)
        expect([line for line in installed.splitlines() if "CPU" not in line] ==
               [line for line in report.splitlines() if "CPU" not in line], installed)
        print(report)


if __name__ == "__main__":
    main()
