#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""clang-tidy, with the repository's .clang-tidy, on a fixed list of files and, if asked, on those that changed.

Changed: under src and cli, since the merge base with the branch main, or on main itself since the
commit before; of more than MOST_CHANGED files every n-th, to bound the time.
Usage: tidy.py BUILD_DIR [--changed | FILE...]    BUILD_DIR: with compile_commands.json; FILE: instead of
both lists
Exit status 1 if there is any finding.
"""
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# what reads files and texts of others, and what threads share
CORE = (
    "src/math/thread_pool.cpp", "src/math/expression_parser.cpp", "src/format/words.cpp",
    "src/format/yaml_tree.cpp", "src/format/table_file.cpp", "src/format/read_model.cpp",
    "src/integrate/dopri5.cpp", "src/analyses/ensemble.cpp", "cli/main.cpp",
)
# all of the kernel in one function: the analyser takes minutes
TOO_LARGE = {"src/evaluate/avx2.cpp", "src/evaluate/avx2_planar.cpp", "src/evaluate/baseline.cpp",
             "src/evaluate/baseline_planar.cpp", "src/generate/traced_kernel.cpp",
             "src/generate/traced_kernel_planar.cpp", "src/math/block_ldlt.cpp",
             "src/math/block_ldlt_traced.cpp"}
MOST_CHANGED = 30
JOBS = 2


def git(*words):
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True,
                          check=False)
    return done.stdout.split() if done.returncode == 0 else []


def changed_files():
    head = git("rev-parse", "HEAD")
    for main in ("origin/main", "main"):
        base = git("merge-base", "HEAD", main)
        if base and base != head:
            break
    else:
        base = ["HEAD~1"]
    return git("diff", "--name-only", "--diff-filter=d", base[0], "--", "src/*.cpp", "cli/*.cpp")


def main():
    build = Path(sys.argv[1]).resolve()
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    compiled = {entry["file"] for entry in commands}
    missing = [name for name in CORE if str(ROOT / name) not in compiled]
    if missing:
        sys.exit(f"tidy: not part of the build: {', '.join(missing)}")
    with_changed = sys.argv[2:] == ["--changed"]
    changed = [name for name in changed_files() if name not in TOO_LARGE] if with_changed else []
    stride = -(-len(changed) // MOST_CHANGED) or 1
    if stride > 1:
        print(f"tidy: {len(changed)} files have changed, looking at one in {stride}")
    wanted = {*CORE, *changed[::stride]} if with_changed else sys.argv[2:] or CORE
    files = sorted(name for name in wanted if str(ROOT / name) in compiled)

    def tidy(name):
        done = subprocess.run(
            ["clang-tidy", "-p", str(build), "--quiet", "--warnings-as-errors=*", str(ROOT / name)],
            capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(done.stdout, end="", flush=True)
            if not done.stdout.strip():
                print(f"{name}: clang-tidy failed\n{done.stderr}", flush=True)
        return done.returncode == 0

    with ThreadPoolExecutor(JOBS) as pool:
        clean = list(pool.map(tidy, files))
    print(f"tidy: {len(files)} files, {clean.count(False)} with findings")
    return 0 if all(clean) else 1


if __name__ == "__main__":
    sys.exit(main())
