#!/usr/bin/env python3
"""Runs a program with many virtual threads that block in mid-call, and compares every context and count with
what the program itself says they must be.

    run.py --agent LIB --work DIR [--threads N] [--wave N] [--jdk-threads N] [OPTIONS...]

OPTIONS: agent options to try, by default every engine, with and without the JDK's classes. --wave: how many
threads live at the same time. The tree must be the expected one, the program's output and exit status as
without Copse, what a waiting thread takes must be little, and memory must not grow from wave to wave."""

import argparse
import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import compare_trees  # noqa: E402
import jvm  # noqa: E402

APPLICATION = ["engine=inline", "engine=parallel", "engine=parallel,packet=8", "engine=uptree", "encoder=segment,mark=**",
               "engine=inline -XX:-VMContinuations"]
WITH_JDK = ["engine=inline,jdk", "engine=parallel,jdk", "engine=parallel,jdk,packet=8"]
PROGRAM = "VirtualThreads"
# The Java heap and the JIT's work differ from run to run.
SLACK_KIB = 100 * 1024
GROWTH_KIB = 64 * 1024
# Of a thread that waits in six frames of its own; with the JDK's classes its frames there are as many again,
# and every frame on its Java stack is a few words larger.
MOST_BYTES = 2500
MOST_BYTES_JDK = 8000


class Failed(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Failed(message)


def home_with_virtual_threads():
    for home in jvm.need_jdks():
        outcome = jvm.run([os.path.join(home, "bin", "javac"), "-version"])
        if int(re.search(r"\d+", outcome.stdout + outcome.stderr).group()) >= 21:
            return home
    print("skipped: no JDK with virtual threads (21 or later)")
    sys.exit(jvm.SKIPPED)


def read_expected(path):
    calls, resident = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            kind, name, number = line.split()
            if kind == "calls":
                calls[name] = int(number)
            else:
                resident.append((int(name), int(number)))
    return calls, resident


def application_counts(report):
    """Context of the program's own methods, below a virtual thread's first -> calls; others are left out."""
    methods = report["methods"]
    names = [f"{c}.{n}" if c.startswith(PROGRAM) else None for c, n in zip(methods["class"], methods["name"])]
    nodes = report["nodes"]
    counts = collections.Counter()
    contexts = []  # by row
    for parent, method, calls in zip(nodes["parent"], nodes["method"], nodes["calls"]):
        context = contexts[parent] if parent >= 0 else ""
        name = names[method] if method >= 0 else None
        if name is not None and (context or name == f"{PROGRAM}$Visit.run"):
            context = f"{context};{name}" if context else name
            counts[context] += calls
        contexts.append(context)
    return {context: calls for context, calls in counts.items() if calls}


def first_differences(expected, actual, limit=5):
    lines = []
    for context in sorted(expected.keys() | actual.keys()):
        want, got = expected.get(context, 0), actual.get(context, 0)
        if want != got:
            lines.append(f"expected {want} calls, got {got}, of {context}")
    return "; ".join(lines[:limit] + ([f"and {len(lines) - limit} more"] if len(lines) > limit else []))


class Program:
    def __init__(self, home, args):
        self.args = args
        self.java = os.path.join(home, "bin", "java")
        self.classes = os.path.join(args.work, "classes")
        jvm.compile_java(home, [os.path.join(HERE, f"{PROGRAM}.java")], self.classes)
        self.bare = {}

    def run(self, threads, jvm_options):
        path = os.path.join(self.args.work, "expected.txt")
        if os.path.exists(path):
            os.remove(path)
        outcome = jvm.run([self.java, "-Xmx1g", *jvm_options, "-cp", self.classes, PROGRAM, str(threads),
                           str(self.args.wave), path])
        require(os.path.exists(path), f"the program did not end well: {outcome}")
        return outcome, *read_expected(path)

    def bare_run(self, threads, jvm_options):
        key = (threads, *jvm_options)
        if key not in self.bare:
            self.bare[key] = self.run(threads, jvm_options)
            require(self.bare[key][0].status == 0, f"without Copse: {self.bare[key][0]}")
        return self.bare[key]

    def check(self, options):
        """`options`: the agent's, then the JVM's, separated by spaces."""
        options, *jvm_options = options.split()
        if jvm_options:
            jvm_options.insert(0, "-XX:+UnlockExperimentalVMOptions")
            jvm_options.insert(0, "-XX:+UnlockDiagnosticVMOptions")
        with_jdk = "jdk" in options.split(",")
        threads = self.args.jdk_threads if with_jdk else self.args.threads
        bare, expected, bare_resident = self.bare_run(threads, jvm_options)
        path = os.path.join(self.args.work, "report.json")
        if os.path.exists(path):
            os.remove(path)
        outcome, _, resident = self.run(threads, [f"-agentpath:{self.args.agent}=out={path},quiet,{options}", *jvm_options])
        require(outcome == bare, f"the program's outcome changed: {outcome}, without Copse {bare}")
        report = compare_trees.load(path)
        self.check_counts(report, expected, threads, ids="encoder" in options)
        added = resident[0][1] - bare_resident[0][1]
        wave = min(threads, self.args.wave)
        most = SLACK_KIB + wave * (MOST_BYTES_JDK if with_jdk else MOST_BYTES) // 1024
        require(added <= most, f"{added} KiB more than without Copse while {wave} threads waited")
        waves = [kib for wave, kib in resident if wave >= 100]
        if len(waves) > 1:
            grown, bare_grown = (r[-2][1] - [kib for wave, kib in r if wave >= 100][0] for r in (resident, bare_resident))
            require(grown - bare_grown <= GROWTH_KIB, f"memory grew by {grown} KiB, without Copse by {bare_grown}: {resident}")
        return f"{sum(expected.values())} calls in {len(expected)} contexts as expected; " \
               f"{wave} threads alive: {added * 1024 // wave} bytes each more than without Copse"

    @staticmethod
    def check_counts(report, expected, threads, ids):
        totals = report["totals"]
        require(totals["calls_lost"] == 0, f"{totals['calls_lost']} calls lost")
        in_nodes = sum(report["nodes"]["calls"])
        require(totals["calls_seen"] == in_nodes, f"{totals['calls_seen']} calls seen, {in_nodes} in nodes")
        actual = application_counts(report)
        require(actual == expected, first_differences(expected, actual))
        if ids:
            return
        require(len(report["threads"]) < 100 + threads / 100, f"a thread table of {len(report['threads'])} rows")
        named = [row for row in report["threads"] if row["name"].startswith("visit-")]
        require(len(named) == (threads + 992) // 1000, f"{len(named)} rows of threads called visit-")
        kept = [row["reason"] for row in report["skipped"] if "memory is kept" in row["reason"]]
        require(not kept, f"skipped: {kept}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", required=True)
    parser.add_argument("--work", required=True, help="folder for classes and reports")
    parser.add_argument("--threads", type=int, default=2000)
    parser.add_argument("--wave", type=int, default=1000)
    parser.add_argument("--jdk-threads", type=int, default=1000)
    parser.add_argument("options", nargs="*", default=APPLICATION + WITH_JDK)
    args = parser.parse_args()
    args.agent, args.work = os.path.abspath(args.agent), os.path.abspath(args.work)
    program = Program(home_with_virtual_threads(), args)
    failures = 0
    for options in args.options:
        try:
            print(f"{options}: {program.check(options)}", flush=True)
        except Failed as failure:
            failures += 1
            print(f"{options}: FAILED: {failure}", flush=True)
    print(f"{failures} checks failed" if failures else "all checks passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
