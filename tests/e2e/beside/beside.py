"""What the tests of Copse beside others share: programs compiled once for all JVMs, runs with and without
the agent, and the reference agent's tree to compare with."""

import argparse
import functools
import io
import json
import os
import re
import shutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import compare_trees  # noqa: E402
import jvm  # noqa: E402

ARGS = None
# Every class goes through the verifier; newer JVMs say that this is deprecated.
VERIFY = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationRemote"]
VERIFY_NOTICE = r"(OpenJDK|Java HotSpot).* warning: Option(s)? .*Verif"


def add_arguments(parser):
    parser.add_argument("--agent", required=True)
    parser.add_argument("--oracle", required=True)
    parser.add_argument("--work", required=True, help="folder for classes and reports")
    parser.add_argument("--first-jdk", action="store_true", help="only the first JDK found")


def main(describe, more_arguments=lambda parser: None):
    global ARGS
    parser = argparse.ArgumentParser(description=describe, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    more_arguments(parser)
    ARGS, rest = parser.parse_known_args()
    for option in ("agent", "oracle", "work"):
        setattr(ARGS, option, os.path.abspath(getattr(ARGS, option)))
    ARGS.jdks = jvm.need_jdks()[:1 if ARGS.first_jdk else None]
    shutil.rmtree(ARGS.work, ignore_errors=True)
    os.makedirs(ARGS.work)
    unittest.main(argv=sys.argv[:1] + rest, verbosity=2)


def tool(name, home=None):
    return os.path.join(home or ARGS.jdks[0], "bin", name)


def compiled(sources, name, options=()):
    """Folder with the classes of these files, which every JVM can run."""
    folder = os.path.join(ARGS.work, name)
    jvm.compile_java(ARGS.jdks[0], sources, folder, ["--release", "17", *options])
    return folder


def program(name):
    return os.path.join(HERE, "programs", f"{name}.java")


def filtered(text):
    return "".join(line for line in text.splitlines(True) if not re.match(VERIFY_NOTICE, line))


class Run:
    """How a JVM ended, and the report that was written beside it."""

    def __init__(self, outcome, report=None):
        self.status, self.stdout, self.stderr = outcome.status, outcome.stdout, filtered(outcome.stderr)
        self.report_path = report

    @property
    def report(self):
        with open(self.report_path, encoding="utf-8") as file:
            return json.load(file)


def per_jdk(test):
    """Runs a test method once per JDK, whose home it is given."""

    @functools.wraps(test)
    def run_all(self):
        for home in ARGS.jdks:
            with self.subTest(jdk=os.path.basename(home)):
                test(self, home)

    return run_all


class BesideTest(unittest.TestCase):
    """`main`: the program and its arguments, class path included."""

    def path(self, home, name):
        folder = os.path.join(ARGS.work, os.path.basename(home))
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, f"{self.id().split('.')[-1]}-{name}")

    def bare(self, home, main, options=()):
        return Run(jvm.run([tool("java", home), *options, *main]))

    def oracle(self, home, main, options=()):
        path = self.path(home, "oracle.json")
        run = Run(jvm.run([tool("java", home), f"-agentpath:{ARGS.oracle}=out={path}", *options, *main]), path)
        self.assertTrue(os.path.exists(path), run.stderr)
        return run

    def copse(self, home, main, agent_options="", before=(), after=()):
        """`before`, `after`: JVM options left and right of our agent."""
        path = self.path(home, "report.json")
        if os.path.exists(path):
            os.remove(path)
        agent = f"-agentpath:{ARGS.agent}=" + ",".join(filter(None, [f"out={path}", "quiet", agent_options]))
        run = Run(jvm.run([tool("java", home), *VERIFY, *before, agent, *after, *main]), path)
        self.assertTrue(os.path.exists(path), f"no report; status {run.status}: {run.stderr}")
        return run

    def assert_same_behaviour(self, run, bare):
        self.assertEqual((run.status, run.stdout, run.stderr), (bare.status, bare.stdout, bare.stderr))

    def assert_proof(self, report):
        totals = report["totals"]
        self.assertEqual(totals["calls_lost"], 0)
        self.assertEqual(totals["calls"], sum(report["nodes"]["calls"]))
        self.assertEqual(totals["calls_seen"], totals["calls"])
        self.assertFalse([row for row in report["skipped"] if not row["class"]], "recording stopped")

    def assert_same_tree(self, expected, actual, ignore=(), sites=True):
        self.assert_proof(actual)
        out = io.StringIO()
        if not compare_trees.compare(expected, actual, ignore, None, sites, out=out):
            self.fail("differs from the reference agent: " + out.getvalue())

    def calls_by_method(self, report):
        """class.method + descriptor -> calls, in all contexts."""
        methods = report["methods"]
        names = [f"{c}.{n}{d}" for c, n, d in zip(methods["class"], methods["name"], methods["descriptor"])]
        calls = {}
        for parent, method, count in zip(*(report["nodes"][key] for key in ("parent", "method", "calls"))):
            if parent >= 0:
                calls[names[method]] = calls.get(names[method], 0) + count
        return calls
