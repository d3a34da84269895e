#!/usr/bin/env python3
"""Programs with more contexts, threads or frames than --memory has room for: the program notices nothing
and no call is lost, contexts are folded.

    run.py --copse CLI --work DIR [--full]

--full: the sizes of docs/limits.md; minutes. It also prints what the process held in memory."""

import argparse
import glob
import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import compare_trees  # noqa: E402
import jvm  # noqa: E402

ARGS = None
HERE = os.path.dirname(os.path.abspath(__file__))


def tree_calls(depth):
    return (3 ** (depth + 1) - 1) // 2


# By program: all calls of its methods, lambdas and main among them.
CALLS = {
    "tree": lambda size: 3 + tree_calls(size) + 100_000,
    "deep": lambda size: 4 + 3 * (size + 1) + tree_calls(9),
    "brief": lambda size: 2 + size * (1 + tree_calls(4)),
    "live": lambda size: 2 + size * (1 + 2 * tree_calls(5)),
}


class MemoryBound(jvm.CommandLineTest):
    def check(self, home, engine, memory, program, size, folds):
        calls = CALLS[program](size)
        with self.subTest(jdk=os.path.basename(home), engine=engine, program=program):
            folder = os.path.join(ARGS.work, f"{os.path.basename(home)}-{engine}-{program}")
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            java = [os.path.join(home, "bin", "java"), "-cp", ARGS.classes, "ManyContexts", program, str(size)]
            plain = jvm.run(java)
            report_path = os.path.join(folder, "report.json")
            counted = jvm.run([ARGS.copse, "run", "--engine", engine, "--memory", memory, "--include", "ManyContexts",
                               "-o", report_path, "--", *java])
            self.assertEqual((counted.status, counted.stdout), (plain.status, plain.stdout), counted.stderr)
            report = compare_trees.load(report_path)
            totals, methods, nodes = report["totals"], report["methods"], report["nodes"]
            folded = {row for row, name in enumerate(methods["class"]) if name == "(folded)"}
            in_folded = sum(c for m, c in zip(nodes["method"], nodes["calls"]) if m in folded)
            self.assertEqual(totals["calls_lost"], 0)
            self.assertEqual(totals.get("folded_calls", 0), in_folded)
            self.assertEqual(totals["calls"], calls)
            if folds:
                self.assertGreater(in_folded, 0)
                self.assertTrue(any("folded" in note for note in report["notes"]), report["notes"])
            if ARGS.full:
                for name, outcome in (("without", plain), ("with", counted)):
                    line = [text for text in outcome.stderr.splitlines() if text.startswith("resident")]
                    print(f"{engine} {program} {size}, {name}: {line}", flush=True)
            return report

    def check_on_jdks(self, memory, program, size, folds):
        # Each engine once, and the default one on every JDK.
        for home in ARGS.homes:
            self.check(home, "inline", memory, program, size, folds)
        self.check(ARGS.homes[0], "parallel", memory, program, size, folds)

    def test_more_contexts_than_there_is_room_for(self):
        self.check_on_jdks(*(("512M", "tree", 16, True) if ARGS.full else ("4M", "tree", 11, True)))

    def test_deep_recursion_left_by_an_exception(self):
        self.check_on_jdks("2M" if not ARGS.full else "8M", "deep", 100_000, True)

    def test_threads_that_come_and_go(self):
        self.check_on_jdks("1M", "brief", 10_000 if ARGS.full else 500, False)

    def test_threads_that_live_at_the_same_time(self):
        self.check_on_jdks("16M" if ARGS.full else "1M", "live", 2_000 if ARGS.full else 200, False)

    def check_unchanged(self, home, classes, program, *arguments):
        """With the JDK's own calls and the smallest bound: every thread's tree shrinks again and again. The
        result is whether contexts were folded: not of programs that make few."""
        with self.subTest(program=program):
            java = [os.path.join(home, "bin", "java"), "-cp", classes, program, *arguments]
            plain = jvm.run(java)
            report_path = os.path.join(ARGS.work, f"{program}.json")
            counted = jvm.run([ARGS.copse, "run", "--quiet", "--jdk", "--memory", "1M", "-o", report_path, "--", *java])
            self.assertEqual((counted.status, counted.stdout), (plain.status, plain.stdout), counted.stderr)
            report = compare_trees.load(report_path)
            totals = report["totals"]
            self.assertEqual(totals["calls_lost"], 0)
            return totals.get("folded_contexts", 0) > 0
        return False

    def test_virtual_threads_that_yield_in_deep_calls(self):
        home = next((home for home in ARGS.homes if jvm.feature_version(home) >= 21), None)
        if home is None:
            self.skipTest("no JDK with virtual threads")
        classes = os.path.join(ARGS.work, "virtual")
        jvm.compile_java(home, [os.path.join(HERE, "VirtualThreads.java")], classes)
        self.assertTrue(self.check_unchanged(home, classes, "VirtualThreads", "1000" if ARGS.full else "200"))

    def test_continuations_of_the_program_s_own(self):
        home = next((home for home in ARGS.homes if jvm.feature_version(home) >= 21), None)
        if home is None:
            self.skipTest("no JDK with continuations")
        export = "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED"
        classes = os.path.join(ARGS.work, "continuations")
        jvm.compile_java(home, [os.path.join(HERE, "Continuations.java")], classes, [export])
        java = [os.path.join(home, "bin", "java"), export, "-cp", classes, "Continuations", "200"]
        plain = jvm.run(java)
        report_path = os.path.join(ARGS.work, "continuations.json")
        counted = jvm.run([ARGS.copse, "run", "--quiet", "--memory", "1M", "-o", report_path, "--", *java])
        self.assertEqual((counted.status, counted.stdout), (0, plain.stdout), counted.stderr)
        report = compare_trees.load(report_path)
        # What finds no room is lost: nothing tells which of its nodes such a thread will come back to.
        self.assertGreater(report["totals"]["calls_lost"], 0)

    def test_programs_that_leave_their_frames_in_every_way(self):
        programs = sorted(glob.glob(os.path.join(os.path.dirname(HERE), "exactness", "programs", "*.java")))
        if not ARGS.full:
            programs = [path for path in programs if os.path.basename(path) in ("Exceptions.java", "Reflection.java")]
        classes = os.path.join(ARGS.work, "programs")
        jvm.compile_java(ARGS.homes[-1], programs, classes)
        names = [os.path.basename(path).removesuffix(".java") for path in programs]
        folded = [name for name in names if self.check_unchanged(ARGS.homes[-1], classes, name)]
        self.assertLessEqual({"Exceptions", "Reflection"}, set(folded))


def main():
    global ARGS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("copse", "work"):
        parser.add_argument(f"--{option}", required=True, type=os.path.abspath)
    parser.add_argument("--full", action="store_true", help="the sizes of docs/limits.md")
    parser.add_argument("tests", nargs="*", help="MemoryBound.test_...; default: all")
    ARGS = parser.parse_args()
    if ARGS.full:
        jvm.TIMEOUT_S = 1800
    ARGS.homes = jvm.need_jdks()
    ARGS.classes = os.path.join(ARGS.work, "classes")
    os.makedirs(ARGS.work, exist_ok=True)
    jvm.compile_java(ARGS.homes[0], [os.path.join(HERE, "ManyContexts.java")], ARGS.classes)
    unittest.main(argv=[sys.argv[0], *ARGS.tests], verbosity=2)


if __name__ == "__main__":
    main()
