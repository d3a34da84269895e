#!/usr/bin/env python3
"""A program that goes on and on: counts stay exact and the agent's memory does not grow.

The JVM's own memory is fixed, so what grows is ours. Twenty times in the run the resident set is read; from a
third of the run on, it may not be higher than it was before by more than the run without the agent says it is
anyway, and 8 MiB. Short runs check counts alone."""

import os
import re
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
import compare_trees  # noqa: E402
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

FIXED = ["-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:ReservedCodeCacheSize=64m",
         "-XX:MaxMetaspaceSize=128m"]
LONG_S = 600
SLACK_MIB = 8


def resident_mib(pid):
    """0 when the process is just ending."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        size = re.search(r"VmRSS:\s+(\d+)", status.read())
    return int(size.group(1)) / 1024 if size else 0.0


def endure(command, seconds):
    """Returns the program's output, and its resident sets at equal distances in time."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    start = time.monotonic()
    sizes = []
    while process.poll() is None:
        try:
            process.wait(max(0.0, start + (len(sizes) + 1) * seconds / 20 - time.monotonic()))
        except subprocess.TimeoutExpired:
            if len(sizes) < 19:
                sizes.append(resident_mib(jvm.child_of(process.pid) or process.pid))
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


def main():
    parser = driver.parser("copse")
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--home", help="of one JDK; without it those found")
    driver.begin(parser, jdks=True)
    for home in [ARGS.home] if ARGS.home else ARGS.homes:
        name = os.path.basename(home)
        classes = driver.compiled(["Endure.java"], name, home, ["--release", "17"])
        path = os.path.join(ARGS.work, f"{name}.json")
        java = driver.java_command("Endure", str(ARGS.seconds), classes, home=home, classes=classes, jvm_options=FIXED)
        bare_growth = 0.0
        if ARGS.seconds >= LONG_S:
            bare_growth = max(0.0, growth(endure([*java[:-2], str(ARGS.seconds // 5), classes], ARGS.seconds // 5)[1]))
        text, sizes = endure([ARGS.copse, "run", "-q", "-o", path, "--", *java], ARGS.seconds)
        works = int(re.search(r"(\d+) times work", text).group(1))
        report = compare_trees.load(path)
        calls = driver.calls_by_method(report)
        counted = {method: calls[method] for method in ("work", "thrower", "fib")}
        if counted != {"work": works, "thrower": 21 * works, "fib": (465 + 3) * works}:
            sys.exit(f"{home}: {works} times work, counted {counted}")
        if report["totals"]["calls_lost"] != 0:
            sys.exit(f"{home}: {report['totals']['calls_lost']} calls lost")
        print(f"{name}: {text.strip()}; resident MiB "
              f"{' '.join(f'{size:.0f}' for size in sizes)}; grew without the agent {bare_growth:.1f}")
        if ARGS.seconds >= LONG_S and growth(sizes) > bare_growth + SLACK_MIB:
            sys.exit(f"{home}: grew by {growth(sizes):.1f} MiB")


main()
