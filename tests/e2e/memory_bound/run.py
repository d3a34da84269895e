#!/usr/bin/env python3
"""Programs with more contexts, threads or frames than --memory has room for: the program notices nothing
and no call is lost, contexts are evicted.

--full: the sizes of reports/reliability.md; minutes. It also prints what the process held in memory."""

import glob
import os
import re
import sys

sys.path[1:1] = [sys.path[0] + "/..", sys.path[0] + "/../exactness"]
import big_methods  # noqa: E402
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# Prints the largest size of the process that it starts, as the system tells it of one that has ended. It is itself small: the
# size that a process has before it becomes another program counts, too, and then it has that of its parent.
WITH_LARGEST_SIZE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def tree_calls(depth):
    return (3 ** (depth + 1) - 1) // 2


# By program: all calls of its methods, lambdas and main among them.
CALLS = {
    "tree": lambda size: 3 + tree_calls(size) + 100_000,
    "deep": lambda size: 4 + 3 * (size + 1) + tree_calls(9),
    "brief": lambda size: 2 + size * (1 + tree_calls(4)),
    "live": lambda size: 2 + size * (1 + 2 * tree_calls(5)),
}


def setUpModule():
    if ARGS.full:
        jvm.TIMEOUT_S *= 3


class MemoryBound(driver.CommandLineTest):
    def check(self, home, engine, memory, program, size, evicts):
        calls = CALLS[program](size)
        with self.subTest(jdk=os.path.basename(home), engine=engine, program=program):
            name = f"{os.path.basename(home)}-{engine}-{program}.json"
            java = driver.java_command("ManyContexts", program, str(size), home=home)
            plain = jvm.run(java)
            # Merged recursion would need no more room than there is.
            counted = self.copse("run", "--engine", engine, "--memory", memory, "--recursion", "full", "--include", "ManyContexts",
                                 "-o", name, "--", *java)
            self.assertEqual((counted.status, counted.stdout), (plain.status, plain.stdout), counted.stderr)
            report = self.load(name)
            totals, methods, nodes = report["totals"], report["methods"], report["nodes"]
            evicted = {row for row, name in enumerate(methods["class"]) if name == "(evicted)"}
            in_evicted = sum(c for m, c in zip(nodes["method"], nodes["calls"]) if m in evicted)
            self.assertEqual(totals["calls_lost"], 0)
            self.assertEqual(totals.get("evicted_calls", 0), in_evicted)
            self.assertEqual(totals["calls"], calls)
            if evicts:
                self.assertGreater(in_evicted, 0)
                self.assertTrue(any("evicted" in note for note in report["notes"]), report["notes"])
            if ARGS.full:
                for how, outcome in (("without", plain), ("with", counted)):
                    line = [text for text in outcome.stderr.splitlines() if text.startswith("resident")]
                    print(f"{engine} {program} {size}, {how}: {line}", flush=True)
            return report

    def check_on_jdks(self, memory, program, size, evicts):
        # Each engine once, and the default one on every JDK.
        for home in ARGS.homes:
            self.check(home, "inline", memory, program, size, evicts)
        self.check(ARGS.homes[0], "parallel", memory, program, size, evicts)

    def test_more_contexts_than_there_is_room_for(self):
        self.check_on_jdks(*(("512M", "tree", 16, True) if ARGS.full else ("4M", "tree", 11, True)))

    def test_deep_recursion_left_by_an_exception(self):
        self.check_on_jdks("2M" if not ARGS.full else "8M", "deep", 100_000, True)

    def test_the_sum_of_processor_time_is_that_of_the_clocks_where_columns_evict(self):
        # Columns of time and of samples evict by themselves, differently in one run of four.
        for _ in range(15):
            java = driver.java_command("ManyContexts", "deep", "100000")
            counted = self.copse("run", "--memory", "2M", "--recursion", "full", "--include", "ManyContexts",
                                 "--measure", "cpu", "-o", "samples.json", "--", *java)
            self.assertEqual(counted.status, 0, counted.stdout + counted.stderr)
            report = self.load("samples.json")
            names, nodes = report["methods"]["name"], report["nodes"]
            sums = {False: 0, True: 0}  # of the JVM's threads or not
            is_outside = []
            for parent, method, ns in zip(nodes["parent"], nodes["method"], nodes["cpu_ns"]):
                is_outside.append(method >= 0 and (names[method] == "(threads without recorded calls)" or is_outside[parent]))
                sums[is_outside[-1]] += ns
            clocks = next(found[1] for note in report["notes"] if (found := re.search(r"own clocks, ([\d,]+) ms", note)))
            self.assertEqual(sums[False] // 1_000_000, int(clocks.replace(",", "")))
            self.assertGreater(sums[True], 0)

    def test_threads_that_come_and_go(self):
        self.check_on_jdks("1M", "brief", 10_000 if ARGS.full else 500, False)

    def test_threads_that_live_at_the_same_time(self):
        self.check_on_jdks("16M" if ARGS.full else "1M", "live", 2_000 if ARGS.full else 200, False)

    def test_the_end_of_a_run_takes_little_more_than_the_run(self):
        depth = 20
        heap = ["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"]
        for measures in ("calls", "calls,cpu,alloc,exceptions"):
            with self.subTest(measures=measures):
                options = f"out={self.report},recursion=full,memory=1G,measure={measures}"
                java = driver.with_agent(driver.java_command("EndOfRun", depth, jvm_options=heap), options)
                ended = jvm.run([sys.executable, "-c", WITH_LARGEST_SIZE, *java], cwd=self.folder)
                self.assertEqual(ended.status, 0, ended)
                before, run, largest = map(int, ended.stdout.split())
                self.assertGreater(self.calls("tree"), 2 ** (depth + 1))
                self.assertLess(largest - before, 1.25 * (run - before), (before, run, largest))

    def check_unchanged(self, home, classes, program, *arguments):
        """With the JDK's own calls and the smallest bound: every thread's tree shrinks again and again. The
        result is whether contexts were evicted: not of programs that make few."""
        with self.subTest(program=program):
            java = driver.java_command(program, *arguments, home=home, classes=classes)
            plain = jvm.run(java)
            counted = self.copse("run", "--quiet", "--jdk", "--memory", "1M", "-o", f"{program}.json", "--", *java)
            self.assertEqual((counted.status, counted.stdout), (plain.status, plain.stdout), counted.stderr)
            totals = self.load(f"{program}.json")["totals"]
            self.assertEqual(totals["calls_lost"], 0)
            return totals.get("evicted_contexts", 0) > 0
        return False

    def test_virtual_threads_that_yield_in_deep_calls(self):
        home = next((home for home in ARGS.homes if jvm.feature_version(home) >= 21), None)
        if home is None:
            self.lack("no JDK with virtual threads")
        classes = driver.compiled(["VirtualThreads.java"], "virtual", home)
        self.assertTrue(self.check_unchanged(home, classes, "VirtualThreads", "1000" if ARGS.full else "200"))

    def test_continuations_of_the_program_s_own(self):
        home = next((home for home in ARGS.homes if jvm.feature_version(home) >= 21), None)
        if home is None:
            self.lack("no JDK with continuations")
        export = "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED"
        classes = driver.compiled(["Continuations.java"], "continuations", home, [export])
        java = driver.java_command("Continuations", "200", home=home, classes=classes, jvm_options=[export])
        plain = jvm.run(java)
        counted = self.done("run", "--quiet", "--memory", "1M", "-o", self.report, "--", *java)
        self.assertEqual(counted.stdout, plain.stdout, counted.stderr)
        # Calls without room are lost: nothing tells which of its nodes such a thread will come back to.
        self.assertGreater(self.load()["totals"]["calls_lost"], 0)

    def test_programs_that_leave_their_frames_in_every_way(self):
        programs = sorted(glob.glob(os.path.join(driver.HERE, "../exactness/programs/*.java")))
        if not ARGS.full:
            programs = [path for path in programs if os.path.basename(path) in ("Exceptions.java", "Reflection.java")]
        names = [os.path.basename(path).removesuffix(".java") for path in programs]
        if ARGS.full:
            programs.append(big_methods.source())
            names.append("BigMethods")
        classes = driver.compiled(programs, "programs", ARGS.homes[-1])
        evicted = [name for name in names if self.check_unchanged(ARGS.homes[-1], classes, name)]
        self.assertLessEqual({"Exceptions", "Reflection"}, set(evicted))


driver.main("copse", "agent", sources=["ManyContexts.java", "EndOfRun.java"], full="the sizes of reports/reliability.md")
