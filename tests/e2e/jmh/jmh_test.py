#!/usr/bin/env python3
"""copse-jmh.jar: exact calls, bytes and exceptions of one operation of a benchmark of JMH, and its report and page."""

import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import compare_trees  # noqa: E402
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS, REPOSITORY  # noqa: E402

STAND_IN = sorted((REPOSITORY / "src/agent/api/jmh").glob("*.java"))
# Calls, bytes and exceptions of one operation (demo/Orders.java).
EXPECTED = {"total": (8, 72, 0), "thrown": (3, 40, 1), "ten": (1.1, 0, 0), "inherited": (2, 0, 0), "group": (2.5, 0, 0)}


class Jmh(driver.CommandLineTest):
    @classmethod
    def setUpClass(cls):
        sources = ["Harness.java", "demo/Orders.java", "demo/Inherited.java", "demo/Stubs.java", *STAND_IN]
        cls.classes = driver.compiled(sources, options=["-cp", ARGS.jmh_jar])

    def harness(self, name, operations=1, forks=1, line="dir=out", home=None, **variables):
        command = [driver.tool("java", home), "-cp", os.pathsep.join([self.classes, ARGS.jmh_jar]), "org.openjdk.jmh.Harness",
                   line, f"demo.Orders.{name}", str(operations), str(forks)]
        return jvm.run(command, cwd=self.folder, env={**os.environ, **variables})

    def results(self, *arguments, **more):
        """The three numbers of each fork."""
        ended = self.harness(*arguments, **more)
        self.assertEqual((ended.status, ended.stderr), (0, ""), ended)
        numbers = re.findall(r"^copse\.calls (\S+) calls/op\ncopse\.alloc (\S+) B/op\ncopse\.exceptions (\S+) exceptions/op\n"
                             r"copse\.waits 0(?:\.0)? waits/op$",
                             ended.stdout, re.MULTILINE)
        return [tuple(map(float, fork)) for fork in numbers]

    def test_numbers_of_an_operation_are_those_of_the_measured_iterations_and_the_same_in_each_run(self):
        for home in ARGS.homes:
            for name, expected in EXPECTED.items():
                with self.subTest(name=name, jdk=jvm.feature_version(home)):
                    numbers = self.results(name, operations=10 if name == "ten" else 1, home=home)
                    self.assertEqual(numbers, [expected])
        self.assertEqual(self.results("total", forks=2), [EXPECTED["total"]] * 2)

    def test_leaves_report_and_page_of_each_fork(self):
        self.results("total", forks=2)
        stem = "demo.Orders.total-AverageTime"
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         sorted(f"{stem}{fork}.{ending}" for fork in ("", "-fork2") for ending in ("html", "json")))
        report = compare_trees.load(self.path(f"out/{stem}.json"))
        calls = driver.calls_by_method(report)
        self.assertEqual((calls["total"], calls["make"]), (1000 + 3 * 300, 1), "with the warm-up")
        self.assertEqual(set(report["methods"]["class"]), {"demo.Orders", "demo.Inherited", ""}, "nothing of the harness")

    def test_rules_on_quotients_hold_however_many_operations_there_were(self):
        page = (REPOSITORY / "docs" / "jmh.md").read_text(encoding="utf-8")
        rule = re.search(r"`(calls\(Dao\.query\) under .*?)`", page)[1].replace("Dao.query", "Orders.hidden")
        for name, forks in (("few", 1), ("many", 2)):
            self.results("total", line=f"dir={name}", forks=forks)
        report = "demo.Orders.total-AverageTime"
        self.done("merge", f"many/{report}.json", f"many/{report}-fork2.json", "-o", "many.json")
        self.done("diff", f"few/{report}.json", "many.json", "--fail-if", rule)

    def test_takes_the_options_of_the_documentation(self):
        page = (REPOSITORY / "docs" / "jmh.md").read_text(encoding="utf-8")
        self.assertIn("-prof copse.Jmh\n", page)
        line = re.search(r"-prof '?copse\.Jmh:([^'`]*)'?`", page)[1]
        self.assertEqual(self.results("total", line=line.replace("com.acme", "demo")), [EXPECTED["total"]])
        self.assertTrue(os.listdir(self.path("target/copse")))
        part, = self.results("total", line="dir=part;options=--exclude demo.Orders.hidden")
        self.assertEqual(part[0], EXPECTED["total"][0] - 3)

    def test_refuses_what_it_cannot_do(self):
        for line, said in (("dir=out;colour=red", "colour=red: there are dir=FOLDER"),
                           ("copse=/no/such/copse", "/no/such/copse")):
            with self.subTest(line):
                ended = self.harness("total", line=line)
                self.assertEqual(ended.status, 1)
                self.assertIn("ProfilerException", ended.stderr)
                self.assertIn(said, ended.stderr)
        ended = self.harness("total", line="options=--exclude demo.**")
        self.assertEqual(ended.status, 1)
        self.assertIn("has no call of demo.Orders.total", ended.stderr)
        ended = jvm.run([driver.tool("java"), "-cp", os.pathsep.join([self.classes, ARGS.jmh_jar]), "org.openjdk.jmh.Harness$Fork", "",
                         "demo.Orders.total"], cwd=self.folder)
        self.assertEqual(ended.status, 1)
        self.assertIn("give JMH -f 1", ended.stderr)


driver.main("copse", "jmh-jar", jdks=True)
