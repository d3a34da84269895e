#!/usr/bin/env python3
"""Allocations, exceptions and waits of slices, against the program's own counts and clocks."""

import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from driver import ARGS  # noqa: E402
from slices_test import columns  # noqa: E402

# Prints what each slice did: "SLICE arrays=3 thrown=1 entered=0 parked=0". An array takes 816 bytes.
WORK = """
import copse.Context;
import java.util.concurrent.locks.LockSupport;

public class Work {
    static final Object lock = new Object();
    static final IllegalStateException failure = new IllegalStateException();
    static volatile boolean isHeld;
    static Object kept;

    static void make(int arrays) { for (int i = 0; i < arrays; i++) kept = new long[100]; }
    static void fail(int times) {
        for (int i = 0; i < times; i++) try { throw failure; } catch (IllegalStateException e) { kept = e; }
    }
    static void enter() { synchronized (lock) { kept = lock; } }
    static void park() {
        long end = System.nanoTime() + 400_000_000;
        for (long left; (left = end - System.nanoTime()) > 0;) LockSupport.parkNanos(left);
    }

    static void handle(int kind) {
        make(kind % 5);
        fail(kind % 3);
        if (kind == 7) enter();
        if (kind == 8) park();
    }
    static void hold() {
        synchronized (lock) {
            isHeld = true;
            try { Thread.sleep(100); } catch (InterruptedException e) { throw new Error(e); }
        }
    }

    public static void main(String[] args) throws Exception {
        boolean isInCode = args[0].equals("code");
        for (int kind = 0; kind < 40; kind++) {
            if (kind == 7) new Thread(Work::hold).start();
            while (kind == 7 && !isHeld) Thread.sleep(1);
            if (isInCode) {
                make(2);  // outside
                fail(1);
                try (Context.Slice slice = Context.slice("work")) { handle(kind); }
                make(1);
            } else {
                handle(kind);
            }
            System.out.println("SLICE arrays=" + kind % 5 + " thrown=" + kind % 3 + " entered=" + (kind == 7 ? 1 : 0)
                + " parked=" + (kind == 8 ? 400 : 0));
        }
    }
}
"""


def told(output):
    lines = [line.split()[1:] for line in output.splitlines() if line.startswith("SLICE ")]
    return [{name: int(count) for name, count in (word.split("=") for word in line)} for line in lines]


def amounts(report, group, row):
    """Measures of a slice, or of all of a method: name -> amount."""
    names = report["slice_measures"]["name"]
    return {names[cell["measure"]]: cell["amount"] for cell in columns(report, group) if cell["of"] == row}


class Amounts(driver.CommandLineTest):
    def run_work(self, way, measure, home=None):
        slices = ("--slice", "Work.handle") if way == "method" else ()
        outcome = self.done("run", "-q", "-o", self.report, *slices, "--keep-slices", "1000", "--measure", measure, "--",
                            *driver.java_command("Work", way, home=home))
        return told(outcome.stdout)

    def check(self, said, report):
        self.assertEqual(len(said), len(report["slices"]["id"]))
        sums = {}
        for row, truth in enumerate(said):
            found = amounts(report, "slice_amounts", row)
            for name, amount in found.items():
                sums[name] = sums.get(name, 0) + amount
            self.assertEqual(found.get("allocations", 0), truth["arrays"], row)
            self.assertEqual(found.get("allocated_bytes", 0), 816 * truth["arrays"], row)
            self.assertEqual(found.get("exceptions", 0), truth["thrown"], row)
            self.assertEqual(found.get("contentions", 0), truth["entered"], row)
            wall = report["slices"]["wall_ns"][row]
            self.assertLessEqual(found.get("contended_ns", 0), wall)
            self.assertGreaterEqual(found.get("contended_ns", 0), 40_000_000 * truth["entered"], row)
            self.assertLessEqual(found.get("parked_ns", 0), wall)
            self.assertGreaterEqual(found.get("parked_ns", 0), 500_000 * truth["parked"], row)
        self.assertEqual(amounts(report, "slice_method_amounts", 0), sums)

    def test_exact_ones_are_those_of_the_program_and_waits_are_near(self):
        for home in ARGS.homes:
            for way in ("method", "code"):
                with self.subTest(home=home, way=way):
                    said = self.run_work(way, "alloc=exact,exceptions,locks", home)
                    self.check(said, self.load())
                    measures = {row["name"]: row["sampled"] for row in columns(self.load(), "slice_measures")}
                    self.assertEqual(measures, {"allocated_bytes": 0, "allocations": 0, "exceptions": 0, "contended_ns": 0,
                                                "contentions": 0, "parked_ns": 1})

    def test_of_time_by_state_waits_are_told(self):
        self.run_work("method", "wall,alloc")
        measures = {row["name"]: row["sampled"] for row in columns(self.load(), "slice_measures")}
        self.assertEqual(set(measures), {"allocated_bytes", "allocation_samples", "blocked_ns", "waiting_ns", "parked_ns",
                                         "sleeping_ns"})
        self.assertEqual(set(measures.values()), {1})
        self.assertGreater(amounts(self.load(), "slice_method_amounts", 0)["parked_ns"], 200_000_000)

    def test_lists_have_them(self):
        self.run_work("method", "alloc=exact,exceptions,locks")
        text = self.done("report", self.report).stdout
        self.assertRegex(" ".join(text.split()), r"Work.handle: 40 slices with [^:]* 1.59 KiB allocated, 2.00 allocations, "
                         r"0.97 exceptions, [\d.]+ ms contended, 0.03 contentions and about [\d.]+ ms parked")
        self.assertRegex(text, r"about\n +time +CPU +calls +allocated +allocations +exceptions +contended "
                         "+contentions +parked +began +ID  thread\n")
        one = self.done("report", self.report, "--slice", "slowest").stdout
        self.assertRegex(" ".join(one.split()), r"2.39 KiB allocated, 3 allocations, 2 exceptions, about [\d.]+ ms parked")
        rows = self.done("query", self.report, "SELECT measure, unit, sampled, sum(amount) FROM slice_measures "
                         "GROUP BY measure ORDER BY measure", "--format", "csv").stdout
        self.assertIn("\nallocations,events,0,80\n", rows)
        self.assertIn("\nexceptions,events,0,39\n", rows)

    def test_without_measures_there_are_none(self):
        self.run_work("method", "calls")
        self.assertEqual(self.load()["slice_measures"], {"name": [], "unit": [], "sampled": []})


if __name__ == "__main__":
    driver.main("copse", "context-jar", sources=[WORK], jdks=True)
