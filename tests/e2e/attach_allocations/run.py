#!/usr/bin/env python3
"""Allocations of a JVM that Copse was attached to: each that a recorded method makes, with its size, in its context, as
the program and the JVM's own counter have it."""

import collections
import re
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

COUNT = 8000
SPINNERS = 3  # threads that make others
MEASURE = ("--measure", "calls,alloc=exact")
SMALL, BIG, PLAIN = "new Makes$Small", "new Makes$Big", "boolean byte char short int long float double".split()
# Allocations of each way in COUNT turns, by context.
EXPECTED = {
    "objects;" + BIG: COUNT,
    "objects;<init>;" + SMALL: COUNT,
    **{f"{name}s;new {name}[]": COUNT for name in PLAIN},
    "references;new java.lang.String[]": COUNT,
    # Arrays in an array count too: one, i % 3 in it, and i % 4 in each of those.
    "cubes;new short[][][]": sum(1 + i % 3 + (i % 3) * (i % 4) for i in range(COUNT)),
    "open;new double[][][]": sum(1 + i % 3 for i in range(COUNT)),
}
# How far the JVM's counter may be beyond: what it makes on the thread's account when it goes back to interpreted code.
MOST_BESIDE = 512


def measured(report, column):
    """Context -> what it has of the measure; lambdas are without their numbers."""
    names, nodes = report["methods"]["name"], report["nodes"]
    paths, amounts = [], collections.Counter()
    for parent, method, amount in zip(nodes["parent"], nodes["method"], nodes[column]):
        name = re.sub(r"^(lambda\$.*)\$\d+$", r"\1", names[method]) if method >= 0 else ""
        paths.append((paths[parent] if parent >= 0 else ()) + (name,))
        if amount:
            amounts[";".join(filter(None, paths[-1]))] += amount
    return amounts


def below(amounts, context):
    """Amounts below a context, by the rest of the path."""
    return {path.removeprefix(context): amount for path, amount in amounts.items() if path.startswith(context)}


class AttachAllocations(driver.CommandLineTest):
    def program(self, home, *run, options=()):
        late = ["-XX:+EnableDynamicAgentLoading"] if jvm.feature_version(home) >= 21 and not run else []
        return self.start([*run, *driver.java_command("Makes", home=home, jvm_options=(*late, *options))], "ready")

    def attach(self, process, *options, name="report.json"):
        self.done("attach", *(options or MEASURE), "-o", name, process.pid)

    def detach(self, process, name="report.json"):
        self.done("detach", process.pid)
        report = self.load(name)
        self.assertEqual([measure["lost"] for measure in report["metrics"]], [0] * len(report["metrics"]))
        return report

    def end(self, process):
        rest, errors = process.communicate("end\n", timeout=jvm.TIMEOUT_S)
        self.assertEqual((process.returncode, rest, errors), (0, "", ""))

    def assert_bytes(self, said, sizes):
        """Compares what the thread took by the JVM's counter with the report's bytes."""
        for way, taken in (word.split("=") for word in said.split()):
            counted = sum(amount for path, amount in sizes.items() if path.startswith(way + ";"))
            self.assertTrue(0 <= int(taken) - counted <= MOST_BESIDE, (way, taken, counted))

    def rounds(self, process, home):
        """In every kind of thread, once it is warm; what it said of the main thread and of another."""
        said = []
        for command in ("warm 200", f"rounds {COUNT}", f"platform {COUNT}"):
            said.append(self.asked(process, command))
        if jvm.feature_version(home) >= 21:
            self.assertEqual(self.asked(process, f"virtual {COUNT}"), "done")
        return said[1:]

    def test_every_allocation_counts_with_its_bytes_as_in_a_run_from_the_start(self):
        for home, options in [(home, ()) for home in ARGS.homes] + [(ARGS.homes[-1], ("-Xint",))]:
            with self.subTest(home=home, options=options):
                process = self.program(home, options=("-Xverify:all", *options))  # the JDK's classes get probes, too
                self.rounds(process, home)
                self.attach(process)
                said = self.rounds(process, home)
                report = self.detach(process)
                self.rounds(process, home)
                self.end(process)
                counts, sizes = (measured(report, column) for column in ("allocations", "allocated_bytes"))
                threads = 2 if jvm.feature_version(home) >= 21 else 1
                self.assertEqual(below(counts, "answer;rounds;"), EXPECTED)
                self.assertEqual(below(counts, "lambda$answer;rounds;"), {path: threads * count for path, count in EXPECTED.items()})
                self.assert_bytes(said[0], below(sizes, "answer;rounds;"))
                self.assert_bytes(said[1], {path: size // threads for path, size in below(sizes, "lambda$answer;rounds;").items()})

                process = self.program(home, ARGS.copse, "run", "-q", *MEASURE, "-o", "launched.json", "--", options=options)
                self.rounds(process, home)
                process.communicate("end\n", timeout=jvm.TIMEOUT_S)
                launched = self.load("launched.json")
                for column, amounts in (("allocations", counts), ("allocated_bytes", sizes)):
                    for context in ("answer;rounds;", "answer;warm;"):
                        self.assertEqual(below(measured(launched, column), "main;" + context), below(amounts, context))

    def test_a_recording_of_some_seconds_has_what_was_made_in_it(self):
        process = self.program(ARGS.homes[-1])
        self.assertEqual(self.asked(process, "spin 2"), "spinning")
        self.done("attach", process.pid, *MEASURE, "-d", "2s", "-o", self.report)
        self.assertEqual(self.asked(process, "stop 0"), "stopped")
        self.end(process)
        made = measured(self.load(), "allocations")
        self.assertGreater(sum(count for path, count in made.items() if path.endswith("make;" + SMALL)), 1000, made)

    def test_with_packets_they_are_those_of_trees_in_place(self):
        all_engines = ((), ("--engine", "parallel:packet=8"), ("--engine", "uptree"))
        for home in ARGS.homes:
            engines = all_engines if home == ARGS.homes[0] else all_engines[:2]  # how packets are folded is the same on all
            found = {}
            for engine in engines:
                process = self.program(home, ARGS.copse, "run", "-q", *MEASURE, *engine, "-o", self.report, "--")
                self.rounds(process, home)
                # 256 packets of seven records are 1,792 calls: what is known of one packet is of no other, however they are numbered.
                self.assertEqual(self.asked(process, "apart 1740"), "done")
                self.end(process)
                report = self.load()
                self.assertEqual([measure["lost"] for measure in report["metrics"]], [0, 0])
                found[engine] = [measured(report, column) for column in ("allocations", "allocated_bytes")]
            for engine in engines[1:]:
                with self.subTest(home=home, engine=engine):
                    self.assertEqual(found[engine], found[()])

    def test_with_packets_snapshots_lose_nothing(self):
        home = ARGS.homes[-1]
        process = self.program(home)
        self.assertEqual(self.asked(process, f"spin {SPINNERS}"), "spinning")
        self.attach(process, *MEASURE, "--engine", "parallel")
        before = self.dumped_above(process, self.dumped_above(process, 0))
        self.assertEqual(self.asked(process, "stop 0"), "stopped")
        report = self.detach(process)
        calls, made = (measured(report, column) for column in ("calls", "allocations"))
        self.assertGreater(made.total(), before)
        for path, count in calls.items():
            if (method := path.rpartition(";")[2]) in ("make", "deeper"):
                self.assert_called_for(made[path + (";" + SMALL if method == "make" else ";new int[]")], count, path)
        self.end(process)

    def assert_called_for(self, made, calls, path):
        """Each call made its object, and so may a call that was under way in each thread when the recording began."""
        self.assertTrue(0 <= made - calls <= 2 * SPINNERS, (path, made, calls))

    def dumped_above(self, process, before):
        """The allocations of the first dump that has more than these; the threads that make them may have to wait for a processor."""
        deadline = time.monotonic() + jvm.TIMEOUT_S
        while True:
            self.done("dump", "-o", "dump.json", process.pid)
            made = measured(self.load("dump.json"), "allocations").total()
            self.assertGreaterEqual(made, before)
            if made > before:
                return made
            self.assertLess(time.monotonic(), deadline, "nothing was made for a minute")

    def test_what_threads_make_all_the_while_is_what_they_called_for(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                process = self.program(home, options=("-Xmx64m",))
                for _ in range(2):
                    self.assertEqual(self.asked(process, f"spin {SPINNERS}"), "spinning")
                    self.attach(process)
                    before = self.dumped_above(process, self.dumped_above(process, 0))
                    self.assertEqual(self.asked(process, "stop 0"), "stopped")
                    report = self.detach(process)
                    calls, made = (measured(report, column) for column in ("calls", "allocations"))
                    self.assertGreater(made.total(), before)
                    for method, kind in (("make", SMALL), ("deeper", "new int[]")):
                        counts = {path: count for path, count in calls.items() if path.rpartition(";")[2] == method}
                        found = {path: count for path, count in made.items() if path.endswith(f"{method};{kind}")}
                        self.assertLessEqual({path + ";" + kind for path in counts}, set(found))
                        for path, count in found.items():
                            self.assert_called_for(count, counts.get(path.removesuffix(";" + kind), 0), path)
                self.end(process)

    def test_frames_of_an_earlier_recording_come_to_no_harm(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                process = self.program(home)
                self.attach(process, name="1.json")
                self.assertEqual(self.asked(process, "stay 0"), "staying")
                self.assertEqual(self.asked(process, "10"), "made")
                made = measured(self.detach(process, "1.json"), "allocations")
                own = {"new long[]": 10, SMALL: 10, "new byte[][]": 20}
                self.assertEqual(below(made, "answer;stay;"), own | {"make;" + SMALL: 10})
                self.assertEqual(self.asked(process, "100000"), "made")
                # In the next recording the frame is not recorded, but its callees are.
                self.attach(process, name="2.json")
                self.assertEqual(self.asked(process, "20"), "made")
                made = measured(self.detach(process, "2.json"), "allocations")
                self.assertEqual(made, {"(no recorded caller);" + path: 2 * count for path, count in own.items()} | {"make;" + SMALL: 20})
                # One that counts none.
                self.attach(process, "--measure", "calls", name="3.json")
                self.assertEqual(self.asked(process, "30"), "made")
                report = self.detach(process, "3.json")
                self.assertEqual((report["metrics"], measured(report, "calls")["make"]), ([], 30))
                self.assertEqual(self.asked(process, "leave"), "left")
                # And one after it that does again.
                self.attach(process, name="4.json")
                self.asked(process, f"rounds {COUNT}")
                self.assertEqual(below(measured(self.detach(process, "4.json"), "allocations"), "answer;rounds;"), EXPECTED)
                self.end(process)

    def test_a_recording_without_allocations_may_come_first(self):
        process = self.program(ARGS.homes[0])
        self.attach(process, "--measure", "calls")
        self.asked(process, "rounds 100")
        self.assertEqual(self.detach(process)["metrics"], [])
        self.attach(process)
        self.asked(process, f"rounds {COUNT}")
        self.assertEqual(below(measured(self.detach(process), "allocations"), "answer;rounds;"), EXPECTED)
        self.end(process)


driver.main("copse", sources=["Makes.java"])
