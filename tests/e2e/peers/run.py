#!/usr/bin/env python3
"""The flat counter that scripts/peers compares Copse with counts the calls that happened, as Copse does, and so does
each row of the script that counts."""

import json
import os
import shutil
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

sys.path.insert(1, str(driver.REPOSITORY / "scripts"))
import peer_rows  # noqa: E402

GROUPS = 50
METHODS = 100 * GROUPS  # more than a thread's first array has room for
THREADS = 7
EXPECTED = {
    "Truth.<clinit>()V": 1,
    "Truth.main([Ljava/lang/String;)V": 1,
    "Truth.inMain()V": 100_000,
    "Truth.inThread()V": THREADS * 100_000,
    "Truth.down(I)I": 1000,
    "Truth.thrower()V": 500,
    "Truth.threads(II)V": 2,
    "Truth.lambda$threads$0(I)V": THREADS,
    "Truth.finds(Ljava/lang/String;)Z": 1,
    "Truth$Square.<clinit>()V": 1,
    "Truth$Square.side()I": 1,
    "Truth$Square.<init>()V": 500,
    "Truth$Shape.area()I": 500,
    "Truth$Kept.<init>()V": 1,
    "Truth$Kept.finalize()V": 1,
    "Truth$Empty.<init>()V": 1,  # but not its finalizer
    "Many.callAll()V": 1,
    **{f"Many.group{g}()V": 1 for g in range(GROUPS)},
    **{f"Many.m{i}()V": 1 for i in range(METHODS)},
}
# In groups, as Copse leaves a method alone that would grow beyond 8,000 bytes.
MANY = "public class Many {\n" + "".join(f"static void m{i}() {{}}\n" for i in range(METHODS)) + \
    "".join(f"static void group{g}() {{\n" + "".join(f"m{i}();\n" for i in range(g, METHODS, GROUPS)) + "}\n" for g in range(GROUPS)) + \
    "static void callAll() {\n" + "".join(f"group{g}();\n" for g in range(GROUPS)) + "}\n}\n"
# 65,535 bytes of code, the most there can be: 8 for each addition, 2 for each local, 1 for the return.
LARGE = "public class Large {\nstatic int x;\nstatic void grown() {\n" + "x++;\n" * 8191 + \
    "".join(f"int a{i} = 1;\n" for i in range(3)) + "}\n}\n"


@unittest.skipUnless(peer_rows.has_asm(), f"{peer_rows.ASM_PACKAGE} is not installed")
class FlatCounter(driver.CommandLineTest):
    @classmethod
    def setUpClass(cls):
        folder = os.path.join(ARGS.work, "flat")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        cls.kit = peer_rows.Kit(folder, ARGS.agent, "", {"": ARGS.homes[0]})
        peer_rows.build_flat_counter(cls.kit, driver.tool("javac"), driver.tool("jar"))

    def counted(self, form):
        """Its counts, and what it left alone."""
        kit = self.kit
        kit.begin_run()
        done = jvm.run(driver.java_command("Truth", jvm_options=peer_rows.flat_options(form)(kit)))
        self.assertEqual((done.status, done.stderr), (0, ""))
        self.assertIn("the program finds the agent's ASM: false", done.stdout)
        with open(kit.left("flat.txt"), encoding="utf-8") as file:
            skipped = [line for line in file if line.startswith("skipped")]
        return peer_rows.flat_calls(kit), skipped

    def test_that_is_exact_counts_every_call(self):
        calls, _ = self.counted("exact")
        self.assertEqual(calls, EXPECTED)

    def test_that_is_racy_counts_every_call_of_one_thread_and_at_most_those_of_many(self):
        calls, _ = self.counted("racy")
        racing = {"Truth.inThread()V", "Truth.lambda$threads$0(I)V"}
        self.assertEqual({name: count for name, count in calls.items() if name not in racing},
                         {name: count for name, count in EXPECTED.items() if name not in racing})
        for name in racing:
            self.assertLessEqual(calls[name], EXPECTED[name])
            self.assertGreater(calls[name], 0)

    def test_says_which_class_it_left_alone(self):
        _, skipped = self.counted("exact")
        self.assertEqual(len(skipped), 1, skipped)
        self.assertIn("Large: ", skipped[0])

    def test_has_the_counts_of_copse(self):
        done = jvm.run(driver.java_command("Truth", jvm_options=[f"-agentpath:{ARGS.agent}=out={self.report},quiet"]))
        self.assertEqual((done.status, done.stderr), (0, ""))
        self.assertEqual(peer_rows.calls_of_report(self.report), EXPECTED)


class Script(driver.CommandLineTest):
    def test_has_every_row_that_can_run_here_with_the_calls_of_the_loop(self):
        output = self.path("peers")
        done = jvm.run([sys.executable, str(driver.REPOSITORY / "scripts/peers"), "nested", "--loop-iterations", "2", "--calls", "1000",
                        "--agent", ARGS.agent, "--reference", ARGS.oracle, "-o", output])
        self.assertEqual(done.status, 0, done.stderr)
        with open(output + ".json", encoding="utf-8") as file:
            data = json.load(file)
        # main, and in each iteration callAll and ten nested calls for each outer one.
        expected = 1 + 2 * (1 + 10 * 1000)
        runs = data["programs"]["nested"]["runs"]
        self.assertEqual(set(runs) | set(data["left_out"]), {row.name for row in peer_rows.ROWS})
        for row in (row for row in peer_rows.ROWS if row.name in runs):
            self.assertEqual(runs[row.name][0]["ended_early"], "", row.name)
            self.assertEqual(runs[row.name][0].get("calls"), expected if "counts" in row.gives else None, row.name)
        with open(output + ".txt", encoding="utf-8") as file:
            self.assertIn(str(expected), file.read())


driver.main("agent", "oracle", sources=["Truth.java", MANY, LARGE])
