#!/usr/bin/env python3
"""Exceptions of a JVM that Copse was attached to: each that a recorded method throws or gets, once, in its
context, as a run that was started under Copse has it of the JVM."""

import collections
import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

ROUNDS = 40
MEASURE = ("--measure", "calls,exceptions")
with open(os.path.join(driver.HERE, "Throws.java"), encoding="utf-8") as source:
    LINES = source.read().splitlines()


def throw(name, method, mark):
    """The node of what is thrown in the line that has this comment."""
    line, = (number for number, text in enumerate(LINES, 1) if text.endswith("// " + mark))
    return f"throw {name} at Throws.{method}:{line}"


FAILURE, UNREADY = "Throws$Failure", "Throws$Unready"
FAIL = "fail;" + throw(FAILURE, "fail", "fail")
NO_ELEMENT = throw("java.lang.ArrayIndexOutOfBoundsException", "noElement", "element")
LEAF_THROWS = throw(FAILURE, "leafThrows", "leaf throws")
# Exceptions of a round, by context below round(). Those thrown in the JDK are without their place.
THROWN = {
    "explicit;" + FAIL: 1,
    "sameMethod;" + throw(FAILURE, "sameMethod", "same method"): 1,
    "swallow;again;" + FAIL: 1,
    "swallow;again;" + throw(FAILURE, "again", "again"): 1,
    "swallow;inFinally;" + FAIL: 1,
    "swallow;inFinally;" + throw(FAILURE, "inFinally", "finally"): 1,
    "swallow;inSynchronized;" + FAIL: 1,
    "swallow;inSynchronized;" + throw(FAILURE, "inSynchronized", "synchronized"): 1,
    "swallow;inSynchronizedMethod;" + FAIL: 1,
    "swallow;inResource;" + FAIL: 1,
    "swallow;inResource;close;" + throw(UNREADY, "close", "close").replace("Throws.close", "Throws$Resource.close"): 1,
    "swallow;inResource;" + throw(FAILURE, "inResource", "resource"): 1,
    "nested;" + FAIL: 1,
    "nested;" + throw(UNREADY, "nested", "nested"): 1,
    "swallow;" + throw("java.lang.NullPointerException", "noPointer", "pointer"): 1,
    "swallow;" + NO_ELEMENT: 1,
    "swallow;" + throw("java.lang.ArithmeticException", "noQuotient", "quotient"): 1,
    "swallow;noString;" + throw("java.lang.ClassCastException", "noString", "cast"): 1,
    "swallow;" + throw("java.lang.NullPointerException", "throwsNull", "null"): 1,
    "ownHandler;" + throw("java.lang.ArrayIndexOutOfBoundsException", "ownHandler", "own handler"): 1,
    "swallow;callsLeaf;leaf;" + throw("java.lang.ArrayIndexOutOfBoundsException", "leaf", "leaf"): 1,
    "swallow;callsLeafThatThrows;leafThrows;" + LEAF_THROWS: 1,
    "swallow;throw java.lang.NumberFormatException": 1,
    "swallow;lambda$round;" + "deep;" * 51 + FAIL: 1,
    "swallow;lambda$round;" + "deepParse;" * 51 + "throw java.lang.NumberFormatException": 1,
    "swallow;beforeSuper;<init>;leaf;" + throw("java.lang.ArrayIndexOutOfBoundsException", "leaf", "leaf"): 1,
    "swallow;behindSuper;<init>;"
    + throw(UNREADY, "<init>", "constructor").replace("Throws.<init>", "Throws$Derived.<init>"): 1,
    "reflected;" + FAIL: 1,
    "reflected;throw java.lang.reflect.InvocationTargetException": 1,
    "task;" + FAIL: 1,
    "task;" + NO_ELEMENT: 1,
    "task;throw java.util.concurrent.ExecutionException": 2,
    "prepared;task;callsLeafThatThrows;leafThrows;" + LEAF_THROWS: 3,
    "prepared;task;lambda$prepared;lambda$prepared;leafThrows;" + LEAF_THROWS: 3,
    "prepared;task;throw java.util.concurrent.ExecutionException": 6,
}


def shown(name):
    """A method's name without the number of a lambda; what was thrown in the JDK is without its place."""
    name = re.sub(r"^(lambda\$.*)\$\d+$", r"\1", name)
    what, _, where = name.partition(" at ")
    return what if where.startswith("j") else name


def exceptions(report):
    """Contexts of what was thrown -> how often; reflection is without the methods that JDK 17 makes for it."""
    names, nodes = [shown(name) for name in report["methods"]["name"]], report["nodes"]
    thrown = collections.Counter()
    for row, count in enumerate(nodes["exceptions"]):
        path = []
        while count and nodes["parent"][row] >= 0:
            path.append(names[nodes["method"][row]])
            row = nodes["parent"][row]
        if count:
            thrown[";".join(name for name in reversed(path) if name != "invoke")] += count
    return thrown


class AttachExceptions(driver.CommandLineTest):
    def program(self, home, *run, options=()):
        return self.start([*run, *driver.java_command("Throws", home=home, jvm_options=options)], "ready")

    def attach(self, process, *options, name="report.json"):
        self.done("attach", *(options or MEASURE), "-o", name, process.pid)

    def detach(self, process, name="report.json"):
        self.done("detach", process.pid)
        report = self.load(name)
        self.assertEqual([measure["lost"] for measure in report["metrics"]], [0] * len(report["metrics"]))
        return report

    def end(self, process):
        process.communicate("end\n", timeout=jvm.TIMEOUT_S)
        self.assertEqual(process.returncode, 0)

    def assert_thrown(self, thrown, expected):
        wrong = {path: (thrown.get(path), expected.get(path)) for path in {**thrown, **expected}
                 if thrown.get(path) != expected.get(path)}
        self.assertEqual(wrong, {})

    def ask_all(self, process, home):
        """Rounds in every kind of thread, and what is said of them; the kinds."""
        kinds = ["rounds", "platform"] + (["virtual"] if jvm.feature_version(home) >= 21 else [])
        return [self.asked(process, f"{kind} {ROUNDS}") for kind in kinds], kinds

    def test_every_way_to_throw_counts_as_in_a_run_from_the_start(self):
        for home, engine in [(home, "inline") for home in ARGS.homes] + [(ARGS.homes[-1], "parallel")]:
            with self.subTest(home=home, engine=engine):
                process = self.program(home, options=("-Xverify:all",))  # the JDK's classes get probes, too
                plain, kinds = self.ask_all(process, home)
                self.attach(process, *MEASURE, "--engine", engine)
                self.assertEqual(self.ask_all(process, home)[0], plain)
                report = self.detach(process)
                self.assertEqual(self.ask_all(process, home)[0], plain)
                self.end(process)
                attached = exceptions(report)
                expected = {"answer;rounds;round;" + path: ROUNDS * count for path, count in THROWN.items()}
                expected |= {"lambda$answer;rounds;round;" + path: (len(kinds) - 1) * ROUNDS * count for path, count in THROWN.items()}
                self.assert_thrown(attached, expected)
                self.assertTrue(any("counted by probes" in note for note in report["notes"]), report["notes"])

                process = self.program(home, ARGS.copse, "run", "-q", *MEASURE, "--engine", engine, "-o", "launched.json", "--")
                self.assertEqual(self.ask_all(process, home)[0], plain)
                self.end(process)
                launched = {path.removeprefix("main;"): count for path, count in exceptions(self.load("launched.json")).items()}
                self.assert_thrown({path: launched.get(path) for path in attached}, attached)
                # More than that was thrown in the JDK alone.
                rest = [path for path in launched if path not in attached and " at " in path]
                self.assertEqual(rest, [])

    def test_what_a_compiler_makes_beforehand_counts_each_time(self):
        count = 100_000
        for home in ARGS.homes:
            with self.subTest(home=home):
                process = self.program(home)
                self.attach(process)
                self.assertEqual(self.asked(process, f"hot {count}"), f"caught {count}")
                self.assertEqual(self.asked(process, f"hotTask {count}"), "caught 0")
                thrown = exceptions(self.detach(process))
                self.end(process)
                for context in ("answer;hot;noElement;", "answer;hotTask;"):
                    known, unknown = (thrown.pop(context + place, 0) for place in (NO_ELEMENT, NO_ELEMENT.rpartition(":")[0]))
                    self.assertGreater(known, 0)
                    self.assertEqual(known + unknown, count)
                self.assertEqual(thrown, {})

    def test_no_exception_is_kept_alive(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                process = self.program(home)
                self.attach(process)
                self.assertEqual(self.asked(process, "forget 0"), "forgotten")
                self.assertEqual(exceptions(self.detach(process)).total(), 1)
                self.end(process)

    def test_a_stack_overflow_is_counted_and_does_no_harm(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                process = self.program(home)
                self.attach(process)
                self.assertEqual(self.asked(process, "overflow 100"), "caught 100")
                thrown = exceptions(self.detach(process))
                # The line may be missing where no stack was left to ask for it.
                self.assertEqual({path.rpartition(";")[2].partition(":")[0] for path in thrown}, {"throw java.lang.StackOverflowError at Throws.overflow"})
                # A probe without stack throws one in place of the program's, now and then: once all the same.
                self.assertEqual(thrown.total(), 100, {path.count(";"): count for path, count in thrown.items()})
                self.end(process)

    def test_what_is_thrown_where_no_stack_is_left_stays_what_it_is(self):
        for home, options in [*((home, ()) for home in ARGS.homes), (ARGS.homes[0], ("-Xint",))]:
            with self.subTest(home=home, options=options):
                process = self.program(home, options=options)
                self.attach(process)
                self.assertEqual(self.asked(process, "marks 100"), "caught 100")
                thrown = exceptions(self.detach(process))
                of_failures = [count for path, count in thrown.items() if FAILURE in path]
                self.assertEqual(sum(of_failures), 100, of_failures)
                self.end(process)

    def test_threads_that_throw_all_the_while_come_to_no_harm(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                process = self.program(home, options=("-Xmx64m",))
                self.assertEqual(self.asked(process, "spin 2"), "spinning")
                for _ in range(2):
                    self.attach(process)
                    before = 0
                    for _ in range(2):
                        self.done("dump", "-o", "dump.json", process.pid)
                        thrown = exceptions(self.load("dump.json")).total()
                        self.assertGreaterEqual(thrown, before)
                        before = thrown
                    self.assertGreaterEqual(exceptions(self.detach(process)).total(), before)
                self.assertEqual(self.asked(process, "stop 0"), "stopped")
                rest, errors = process.communicate("end\n", timeout=jvm.TIMEOUT_S)
                self.assertEqual((process.returncode, rest), (0, ""))
                # From 21 on the JVM itself warns of agents that come late.
                self.assertEqual([line for line in errors.splitlines() if not line.startswith("WARNING: ")], [])

    def test_a_later_recording_counts_its_own_and_one_without_exceptions_none(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                process = self.program(home)
                for turn in (1, 2):
                    self.attach(process, name=f"{turn}.json")
                    self.asked(process, f"rounds {turn}")
                    expected = {"answer;rounds;round;" + path: turn * count for path, count in THROWN.items()}
                    self.assert_thrown(exceptions(self.detach(process, f"{turn}.json")), expected)
                    self.asked(process, "rounds 3")
                self.attach(process, "--measure", "calls", name="calls.json")
                self.asked(process, "rounds 1")
                self.assertEqual(self.detach(process, "calls.json")["metrics"], [])
                self.end(process)


driver.main("copse", sources=["Throws.java"])
