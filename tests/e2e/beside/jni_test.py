#!/usr/bin/env python3
"""Copse beside native code that calls back, swallows and throws exceptions, brings its own threads and processes, and
takes an interrupted system call for a failure."""

import functools
import os

import beside  # finds the modules beside its folder
from beside import BesideTest, compiled, per_jdk, program
from driver import ARGS


@functools.lru_cache(None)
def programs():
    return compiled([program("Callbacks"), program("Interruptible")], "programs")


def main_class(name, natives):
    return ["-cp", programs(), name, natives]


def native_access(home):
    return ["--enable-native-access=ALL-UNNAMED"] if "25" in os.path.basename(home) else []


class Jni(BesideTest):
    @per_jdk
    def test_calls_from_native_code_are_counted_where_they_are_made(self, home):
        main, options = main_class("Callbacks", ARGS.callbacks), native_access(home)
        bare = self.bare(home, main, options)
        self.assertIn("IllegalStateException: trouble", bare.stderr)
        oracle = self.oracle(home, main, options).report
        for engine in ("engine=inline", "engine=parallel", "mode=ids,encoder=segment,mark=**"):
            with self.subTest(engine=engine):
                run = self.with_agent(home, main, engine, options)
                self.assert_same_behaviour(run, bare)
                self.assert_same_tree(oracle, run.report)

    @per_jdk
    def test_samples_interrupt_no_system_call_and_no_child(self, home):
        main, options = main_class("Interruptible", ARGS.interruptible), native_access(home)
        bare = self.bare(home, main, options)
        self.assertEqual(bare.stdout, "0 0 failed\n")
        run = self.with_agent(home, main, "measure=calls,measure=cpu:interval=1ms,measure=wall", options)
        self.assert_same_behaviour(run, bare)
        report = run.report
        self.assertEqual(self.calls_by_method(report)["Interruptible.all()I"], 2)
        samples = [count for method, count in zip(report["nodes"]["method"], report["nodes"]["cpu_samples"])
                   if method >= 0 and report["methods"]["class"][method] == "Interruptible"]
        # Two threads use some tenths of a second each, with one sample at each tick that finds them.
        self.assertGreater(sum(samples), 10)


beside.main("callbacks", "interruptible")
