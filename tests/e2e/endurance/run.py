#!/usr/bin/env python3
"""A program that goes on and on: counts stay exact and the agent's memory does not grow.

    run.py --copse CLI --work DIR [--seconds N] [--home JDK]

The JVM's own memory is fixed, so what grows is ours. Twenty times in the run the resident set is read; from a
third of the run on, it may not be higher than it was before by more than the run without the agent says it is
anyway, and 8 MiB. Short runs check counts alone."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import compare_trees  # noqa: E402
import jvm  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FIXED = ["-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:ReservedCodeCacheSize=64m",
         "-XX:MaxMetaspaceSize=128m"]
LONG_S = 600
SLACK_MIB = 8


def resident_mib(pid):
    """0 when the process is just ending."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        size = re.search(r"VmRSS:\s+(\d+)", status.read())
    return int(size.group(1)) / 1024 if size else 0.0


def java_of(pid):
    """The JVM itself, which may be a child of `copse run`."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
        words = children.read().split()
    return int(words[0]) if words else pid


def endure(command, seconds):
    """What it printed, and its resident sets, at equal distances in time."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    start = time.monotonic()
    sizes = []
    while process.poll() is None:
        try:
            process.wait(max(0.0, start + (len(sizes) + 1) * seconds / 20 - time.monotonic()))
        except subprocess.TimeoutExpired:
            if len(sizes) < 19:
                sizes.append(resident_mib(java_of(process.pid)))
            elif time.monotonic() - start > 2 * seconds + 120:
                process.kill()
                sys.exit("does not come to its end")
    text = process.stdout.read()
    if process.returncode != 0:
        sys.exit(f"exit status {process.returncode}: {text}")
    return text, sizes


def growth(sizes):
    third = len(sizes) // 3
    return max(sizes[third:]) - max(sizes[1:third])


def calls_of(report, method):
    methods = {i for i, name in enumerate(report["methods"]["name"]) if name == method}
    return sum(c for m, c in zip(report["nodes"]["method"], report["nodes"]["calls"]) if m in methods)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--copse", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--home", help="of one JDK; without it those found")
    args = parser.parse_args()
    for home in [args.home] if args.home else jvm.need_jdks():
        folder = os.path.join(args.work, os.path.basename(home))
        shutil.rmtree(folder, ignore_errors=True)
        classes, path = os.path.join(folder, "classes"), os.path.join(folder, "report.json")
        jvm.compile_java(home, [os.path.join(HERE, "Endure.java")], classes, ["--release", "17"])
        java = [os.path.join(home, "bin", "java"), *FIXED, "-cp", classes, "Endure", str(args.seconds), classes]
        bare_growth = 0.0
        if args.seconds >= LONG_S:
            bare_growth = max(0.0, growth(endure([*java[:-2], str(args.seconds // 5), classes], args.seconds // 5)[1]))
        text, sizes = endure([args.copse, "run", "-q", "-o", path, "--", *java], args.seconds)
        works = int(re.search(r"(\d+) times work", text).group(1))
        report = compare_trees.load(path)
        counted = {name: calls_of(report, name) for name in ("work", "thrower", "fib")}
        if counted != {"work": works, "thrower": 21 * works, "fib": (465 + 3) * works}:
            sys.exit(f"{home}: {works} times work, counted {counted}")
        if report["totals"]["calls_lost"] != 0:
            sys.exit(f"{home}: {report['totals']['calls_lost']} calls lost")
        print(f"{os.path.basename(home)}: {text.strip()}; resident MiB "
              f"{' '.join(f'{size:.0f}' for size in sizes)}; grew without the agent {bare_growth:.1f}")
        if args.seconds >= LONG_S and growth(sizes) > bare_growth + SLACK_MIB:
            sys.exit(f"{home}: grew by {growth(sizes):.1f} MiB")


main()
