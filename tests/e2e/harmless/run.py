#!/usr/bin/env python3
"""Runs real programs under the agent and checks that they do not notice: the expected result, exit
status 0, the same output as without, the same stack traces on standard error, as many Java threads
started, no VerifyError, and a report that proves its totals. Stack traces and threads are compared
where two runs without the agent agree in them.

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
from collections import namedtuple

import jvm_counters

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
VERIFY = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationRemote", "-XX:+BytecodeVerificationLocal"]
CONFIGURATIONS = {f"{classes}-{engine}": f"{options}engine={engine}"
                  for classes, options in (("app", ""), ("jdk", "jdk,")) for engine in ("inline", "parallel", "uptree")}
CONFIGURATIONS |= {"app-ids": "mode=ids,encoder=segment", "jdk-ids": "jdk,mode=ids,encoder=segment"}
EVENTS = ("mode=ids,encoder=segment,measure=cpu:interval=2ms,measure=exceptions,measure=alloc=exact,measure=locks,"
          "event-file=FOLDER/run.events")
CONFIGURATIONS |= {"app-ids-events": EVENTS, "jdk-ids-events": "jdk," + EVENTS}
# A signal at every tick of the kernel. Not wall, which has a Java thread of its own.
MEASURES = "measure=cpu:interval=1ms,alloc,exceptions,locks"
CONFIGURATIONS |= {"app-measures": MEASURES, "jdk-measures": "jdk," + MEASURES}
# All relational checks at once, by the command: no report.
PTQL_CHECKS = "ptql-checks"
CONFIGURATIONS |= {PTQL_CHECKS: ""}
CONFIGURATIONS |= {"app-checks": "mode=validate,encoder=segment,check-every=10", "jdk-checks": "jdk,mode=validate,encoder=segment,check-every=10"}
BY_DEFAULT = [name for name in CONFIGURATIONS if not name.endswith(("-uptree", "-events", "app-checks", "jdk-checks"))]
SUSPICIOUS = re.compile(r"VerifyError|ClassFormatError|IncompatibleClassChangeError|Copse(Probe|Ids|IdWords|Allocations)|SIGSEGV|fatal error")
TIMING = re.compile(r"iteration \d+: .*")
TRACE_LINE = re.compile(r"\s+at |\s+\.\.\. \d+ |Caused by: |\s+Suppressed: |Exception in thread ")
# Numbers that the JVM gives out as it goes: identity hashes, hidden classes, generated accessors.
PASSING_NAME = re.compile(r"@[0-9a-f]{4,}|0x[0-9a-f]+|(?<=Lambda[$/])[\d/]+|(?<=Accessor)\d+")

Run = namedtuple("Run", "status stdout stderr counters")


def run(args, program, options, folder, before=()):
    """One run of a program, by the command `before`; status None when it took too long."""
    saved = os.path.join(folder, "counters")
    if os.path.exists(saved):
        os.remove(saved)
    command = [*before, *args.runner, program, "-n", str(args.iterations), "--", *jvm_counters.options(saved), *options]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=args.timeout)
    except subprocess.TimeoutExpired:
        return Run(None, "", "", {})
    return Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"),
               jvm_counters.read(saved))


def stack_traces(outcome):
    return [PASSING_NAME.sub("#", line) for line in outcome.stderr.splitlines() if TRACE_LINE.match(line)]


# The JVM's own count of threads that are left at the end varies by one without the agent too.
def threads_started(outcome):
    return outcome.counters.get("java.threads.started")


class Bare:
    """The program without the agent; run once more when it must be known whether it repeats itself."""

    def __init__(self, args, program, folder):
        self.again = lambda: run(args, program, [], folder)
        self.first = self.again()
        self.second = None

    def differs(self, outcome, what):
        """Compares `what` of both runs; returns a text, or "" if equal or not the same twice without the agent."""
        if what(outcome) == what(self.first):
            return ""
        self.second = self.second or self.again()
        if what(self.second) != what(self.first):
            return ""
        return f"{what.__name__} {what(outcome)}, without Copse {what(self.first)}"


def check_totals(report, counts):
    """Returns the fault of the totals, or "", and how many calls were lost (for want of memory, say)."""
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
    """Returns the faults, or "", and remarks on the run."""
    report = os.path.join(folder, f"{program}-{configuration}.json")
    if configuration == PTQL_CHECKS:
        copse = os.path.join(os.path.dirname(args.agent), "copse")
        outcome = run(args, program, VERIFY, folder, [copse, "ptql", "--checks", "-o", report, "--"])
    else:
        options = ",".join(filter(None, [f"out={report}", "quiet", CONFIGURATIONS[configuration].replace("FOLDER", folder)]))
        outcome = run(args, program, [*VERIFY, f"-agentpath:{args.agent}={options}"], folder)
    status, out, err = outcome.status, outcome.stdout, outcome.stderr
    problems = []
    if status is None:
        return f"not done after {args.timeout} s", ""
    if status != 0:
        problems.append(f"exit status {status}")
    if TIMING.sub("", out) != TIMING.sub("", bare.first.stdout):
        problems.append(f"printed {out!r}, without Copse {bare.first.stdout!r}")
    problems += [bare.differs(outcome, what) for what in (stack_traces, threads_started)]
    if SUSPICIOUS.search(err) and not SUSPICIOUS.search(bare.first.stderr):
        problems.append("standard error speaks of " + SUSPICIOUS.search(err).group(0))
    lost = 0
    if status == 0 and configuration != PTQL_CHECKS:
        problem, lost = check_totals(report, counts="ids" not in configuration)
        problems.append(problem)
    problems = [p for p in problems if p]
    if problems and err:
        problems.append("standard error:\n" + "\n".join(err.splitlines()[:20]))
    if os.path.exists(report):
        os.remove(report)
    started = threads_started(outcome)
    said = [f"{lost} calls lost" if lost else "", f"{started} threads" if started else "threads not counted"]
    return "; ".join(problems), ", ".join(filter(None, said))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--runner", default=os.path.join(ROOT, "workloads/run"))
    parser.add_argument("--agent", default=os.path.join(ROOT, "build/release/libcopse.so"))
    parser.add_argument("-n", "--iterations", type=int, default=2)
    parser.add_argument("--config", action="append", choices=CONFIGURATIONS, help="default: all but uptree and events; repeatable")
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
            bare = Bare(args, program, folder)
            if bare.first.status != 0:
                print(f"{program}: FAILED without Copse already: exit status {bare.first.status}\n{bare.first.stderr}",
                      flush=True)
                failures += 1
                continue
            for configuration in args.config or BY_DEFAULT:
                problem, said = check(args, program, configuration, bare, folder)
                failures += bool(problem)
                verdict = "FAILED: " + problem if problem else f"harmless, {said}"
                print(f"{program}: {configuration}: {verdict}", flush=True)
    print(f"{failures} failures" if failures else "all harmless")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
