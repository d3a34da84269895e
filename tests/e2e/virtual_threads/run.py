#!/usr/bin/env python3
"""Runs a program with many virtual threads that block in mid-call, and compares every context and count with
what the program itself says they must be.

OPTIONS: agent options to try, by default every engine, with and without the JDK's classes. --wave: how many
threads live at the same time. The tree must be the expected one, the program's output and exit status as
without Copse, what a waiting thread takes must be little, and memory must not grow from wave to wave."""

import collections
import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
import compare_trees  # noqa: E402
import driver  # noqa: E402
import jvm  # noqa: E402
from checks import attempt, exit_status, require  # noqa: E402
from driver import ARGS  # noqa: E402

APPLICATION = ["engine=inline", "engine=parallel", "engine=parallel:packet=8", "engine=uptree", "mode=ids,encoder=segment,mark=**",
               "engine=inline -XX:-VMContinuations"]
WITH_JDK = ["engine=inline,jdk", "engine=parallel,jdk", "engine=parallel:packet=8,jdk"]
ALL = APPLICATION + WITH_JDK
# They ask the JVM for the stacks of threads, in methods of the JDK that run while a virtual thread takes its carrier or leaves
# it. No report of calls: the program's outcome is what counts.
IN_MOVES = ["mode=ids,encoder=stack-walk,mark=java.lang.Thread.*,mark=java.lang.System$2.*,jdk",
            "mode=values,values=java.lang.Thread.*,values=java.lang.System$2.*"]
# Where the JDK is not the newest, and COPSE_TEST_JDKS does not name it.
ON_OTHER_JDKS = {"engine=inline", "engine=inline,jdk", "engine=parallel,jdk"}
PROGRAM = "VirtualThreads"
# The Java heap and the JIT's work differ from run to run.
SLACK_KIB = 100 * 1024
GROWTH_KIB = 64 * 1024
# Memory of a thread that waits in six frames of its own; with the JDK's classes its frames there are as many again,
# and every frame on its Java stack is a few words larger.
MOST_BYTES = 2500
MOST_BYTES_JDK = 8000


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
    def __init__(self, home):
        self.home = home
        self.classes = driver.compiled([f"{PROGRAM}.java"], home=home)
        self.bare = {}

    def run(self, threads, jvm_options):
        path = os.path.join(ARGS.work, "expected.txt")
        if os.path.exists(path):
            os.remove(path)
        outcome = jvm.run(driver.java_command(PROGRAM, str(threads), str(ARGS.wave), path, home=self.home,
                                              classes=self.classes, jvm_options=["-Xmx1g", *jvm_options]))
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
        threads = ARGS.jdk_threads if with_jdk else ARGS.threads
        bare, expected, bare_resident = self.bare_run(threads, jvm_options)
        path = os.path.join(ARGS.work, "report.json")
        if os.path.exists(path):
            os.remove(path)
        outcome, _, resident = self.run(threads, [f"-agentpath:{ARGS.agent}=out={path},quiet,{options}", *jvm_options])
        require(outcome == bare, f"the program's outcome changed: {outcome}, without Copse {bare}")
        report = compare_trees.load(path)
        self.check_counts(report, expected, threads, ids="encoder" in options)
        added = resident[0][1] - bare_resident[0][1]
        wave = min(threads, ARGS.wave)
        most = SLACK_KIB + wave * (MOST_BYTES_JDK if with_jdk else MOST_BYTES) // 1024
        require(added <= most, f"{added} KiB more than without Copse while {wave} threads waited")
        waves = [kib for wave, kib in resident if wave >= 100]
        if len(waves) > 1:
            grown, bare_grown = (r[-2][1] - [kib for wave, kib in r if wave >= 100][0] for r in (resident, bare_resident))
            require(grown - bare_grown <= GROWTH_KIB, f"memory grew by {grown} KiB, without Copse by {bare_grown}: {resident}")
        return f"{sum(expected.values())} calls in {len(expected)} contexts as expected; " \
               f"{wave} threads alive: {added * 1024 // wave} bytes each more than without Copse"

    def check_outcome(self, options):
        bare, *_ = self.bare_run(ARGS.jdk_threads, [])
        path = os.path.join(ARGS.work, "moves")
        outcome, *_ = self.run(ARGS.jdk_threads, [f"-agentpath:{ARGS.agent}=out={path},quiet,{options}"])
        require(outcome == bare, f"the program's outcome changed: {outcome}, without Copse {bare}")
        require(os.path.exists(path), "nothing was written")

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
    parser = driver.parser("agent")
    parser.add_argument("--threads", type=int, default=2000)
    parser.add_argument("--wave", type=int, default=1000)
    parser.add_argument("--jdk-threads", type=int, default=1000)
    parser.add_argument("options", nargs="*", default=ALL)
    driver.begin(parser, also=(21,))
    homes = [home for home in ARGS.homes if jvm.feature_version(home) >= 21]
    for home in homes or jvm.skip("no JDK with virtual threads (21 or later)"):
        program = Program(home)
        is_one_of_many = home != homes[-1] and "COPSE_TEST_JDKS" not in os.environ
        for options in filter(ON_OTHER_JDKS.__contains__, ARGS.options) if is_one_of_many else ARGS.options:
            attempt(f"JDK {jvm.feature_version(home)}, {options}", lambda: program.check(options))
        for options in IN_MOVES if ARGS.options == ALL else ():
            attempt(f"JDK {jvm.feature_version(home)}, {options}", lambda: program.check_outcome(options))
    return exit_status()


sys.exit(main())
