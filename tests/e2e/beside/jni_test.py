#!/usr/bin/env python3
"""Copse beside native code that calls back, swallows and throws exceptions, and brings its own threads."""

import functools
import os

import beside  # finds the modules beside its folder
from beside import BesideTest, compiled, per_jdk, program
from driver import ARGS


@functools.lru_cache(None)
def main_class():
    return ["-cp", compiled([program("Callbacks")], "callbacks"), "Callbacks", ARGS.callbacks]


class Jni(BesideTest):
    @per_jdk
    def test_calls_from_native_code_are_counted_where_they_are_made(self, home):
        main = main_class()
        options = ["--enable-native-access=ALL-UNNAMED"] if "25" in os.path.basename(home) else []
        bare = self.bare(home, main, options)
        self.assertIn("IllegalStateException: trouble", bare.stderr)
        oracle = self.oracle(home, main, options).report
        for engine in ("engine=inline", "engine=parallel", "encoder=segment,mark=**"):
            with self.subTest(engine=engine):
                run = self.with_agent(home, main, engine, options)
                self.assert_same_behaviour(run, bare)
                self.assert_same_tree(oracle, run.report)


beside.main("callbacks")
