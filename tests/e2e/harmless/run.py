#!/usr/bin/env python3
"""Runs real programs under the agent and checks that they do not notice: the expected result, exit
status 0, the same output as without, no VerifyError, and a report that proves its totals.

    run.py [--runner CMD] [--agent LIB] [-n N] [--config NAME]... [PROGRAM...]

A runner takes `NAME -n ITERATIONS -- JVM-OPTION...` and exits with 0 only if the program produced what
it should; workloads/run is one, and `RUNNER/../list` names its programs. Every class is verified."""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
VERIFY = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationRemote", "-XX:+BytecodeVerificationLocal"]
CONFIGURATIONS = {f"{classes}-{engine}": f"{options}engine={engine}"
                  for classes, options in (("app", ""), ("jdk", "jdk,")) for engine in ("inline", "parallel", "uptree")}
CONFIGURATIONS |= {"app-ids": "encoder=segment", "jdk-ids": "jdk,encoder=segment"}
SUSPICIOUS = re.compile(r"VerifyError|ClassFormatError|IncompatibleClassChangeError|CopseProbe|SIGSEGV|fatal error")
TIMING = re.compile(r"iteration \d+: .*")


def run(command, timeout_s):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return None, "", ""
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def check_totals(report, counts):
    """What is wrong with them, or ""; and how many calls were lost (for want of memory, say)."""
    try:
        with open(report, encoding="utf-8") as file:
            head = file.read(1 << 16)
        totals = json.loads(re.search(r'"totals":\s*(\{[^}]*\})', head).group(1))
    except (OSError, AttributeError, ValueError) as error:
        return f"no readable report: {error}", 0
    if totals["calls_seen"] != totals["calls"] + totals["calls_lost"]:
        return f"totals do not add up: {totals}", 0
    return "" if totals["calls"] or not counts else "the report holds no calls", totals["calls_lost"]


def check(args, program, configuration, bare, folder):
    """What is wrong, or ""; and how many calls the report says were lost."""
    report = os.path.join(folder, f"{program}-{configuration}.json")
    options = ",".join(filter(None, [f"out={report}", "quiet", CONFIGURATIONS[configuration]]))
    status, out, err = run([*args.runner, program, "-n", str(args.iterations), "--", *VERIFY,
                            f"-agentpath:{args.agent}={options}"], args.timeout)
    problems = []
    if status is None:
        return f"not done after {args.timeout} s", 0
    if status != 0:
        problems.append(f"exit status {status}")
    if TIMING.sub("", out) != TIMING.sub("", bare[1]):
        problems.append(f"printed {out!r}, without Copse {bare[1]!r}")
    if SUSPICIOUS.search(err) and not SUSPICIOUS.search(bare[2]):
        problems.append("standard error speaks of " + SUSPICIOUS.search(err).group(0))
    lost = 0
    if status == 0:
        problem, lost = check_totals(report, counts="ids" not in configuration)
        problems.append(problem)
    problems = [p for p in problems if p]
    if problems and err:
        problems.append("standard error:\n" + "\n".join(err.splitlines()[:20]))
    if os.path.exists(report):
        os.remove(report)
    return "; ".join(problems), lost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--runner", default=os.path.join(ROOT, "workloads/run"))
    parser.add_argument("--agent", default=os.path.join(ROOT, "build/release/libcopse.so"))
    parser.add_argument("-n", "--iterations", type=int, default=2)
    parser.add_argument("--config", action="append", choices=CONFIGURATIONS, help="default: all but uptree; repeatable")
    parser.add_argument("--timeout", type=int, default=900, help="seconds per run (default 900)")
    parser.add_argument("--install", action="store_true", help="have workloads/install set the programs up first")
    args = parser.parse_args()
    args.runner = shlex.split(args.runner)
    args.agent = os.path.abspath(args.agent)
    if not os.path.exists(args.agent):
        print(f"harmless: {args.agent}: no such file; run scripts/build release, or pass --agent", file=sys.stderr)
        return 2
    beside = os.path.dirname(args.runner[0])
    if args.install:
        subprocess.run([os.path.join(beside, "install"), *args.programs], check=True)
    if not args.programs:
        listing = subprocess.run([os.path.join(beside, "list")], stdout=subprocess.PIPE, check=True).stdout.decode()
        args.programs = [line.split("\t")[0] for line in listing.splitlines()]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in args.programs:
            bare = run([*args.runner, program, "-n", str(args.iterations), "--"], args.timeout)
            if bare[0] != 0:
                print(f"{program}: FAILED without Copse already: exit status {bare[0]}\n{bare[2]}", flush=True)
                failures += 1
                continue
            for configuration in args.config or [c for c in CONFIGURATIONS if "uptree" not in c]:
                problem, lost = check(args, program, configuration, bare, folder)
                failures += bool(problem)
                verdict = "FAILED: " + problem if problem else "harmless" + (f", {lost} calls lost" if lost else "")
                print(f"{program}: {configuration}: {verdict}", flush=True)
    print(f"{failures} failures" if failures else "all harmless")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
