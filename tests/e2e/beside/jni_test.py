#!/usr/bin/env python3
"""Copse beside native code that calls back, swallows and throws exceptions, and brings its own threads.

    jni_test.py --agent LIB --oracle LIB --callbacks LIB --work DIR [TEST...]"""

import functools
import os

import beside
from beside import BesideTest, compiled, per_jdk, program


@functools.lru_cache(None)
def main_class():
    return ["-cp", compiled([program("Callbacks")], "callbacks"), "Callbacks", os.path.abspath(beside.ARGS.callbacks)]


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
                run = self.copse(home, main, engine, options)
                self.assert_same_behaviour(run, bare)
                self.assert_same_tree(oracle, run.report)


if __name__ == "__main__":
    beside.main(__doc__, lambda parser: parser.add_argument("--callbacks", required=True))
