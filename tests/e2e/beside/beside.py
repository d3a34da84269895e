"""Shared parts of the tests of Copse beside others: programs compiled once for all JVMs, runs with and without
the agent, and the reference agent's tree to compare with."""

import functools
import io
import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import compare_trees  # noqa: E402
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS, HERE  # noqa: E402

# Every class goes through the verifier; newer JVMs say that this is deprecated.
VERIFY = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationRemote"]
# The programs end before C2 would pay.
SHORT_LIVED = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
VERIFY_NOTICE = r"(OpenJDK|Java HotSpot).* warning: Option(s)? .*Verif"


def main(*paths, **flags):
    driver.main("agent", "oracle", *paths, jdks=True, first_jdk="only the first JDK found", **flags)


def compiled(sources, name, options=()):
    """Folder with the classes of these files, which every JVM can run."""
    return driver.compiled(sources, name, options=["--release", "17", *options])


def program(name):
    return os.path.join(HERE, "programs", f"{name}.java")


def homes():
    return ARGS.homes[:1 if ARGS.first_jdk else None]


def filtered(text):
    return "".join(line for line in text.splitlines(True) if not re.match(VERIFY_NOTICE, line))


class Run:
    """How a JVM ended, and the report that was written beside it."""

    def __init__(self, outcome, report=None):
        self.status, self.stdout, self.stderr = outcome.status, outcome.stdout, filtered(outcome.stderr)
        self.report_path = report

    @property
    def report(self):
        return compare_trees.load(self.report_path)


def per_jdk(test):
    """Runs a test method once per JDK, whose home it is given."""

    @functools.wraps(test)
    def run_all(self):
        for home in homes():
            with self.subTest(jdk=os.path.basename(home)):
                test(self, home)

    return run_all


class BesideTest(driver.CommandLineTest):
    """`main`: the program and its arguments, class path included."""

    def path_of(self, home, name):
        return self.path(f"{os.path.basename(home)}-{name}")

    def bare(self, home, main, options=()):
        return Run(jvm.run([driver.tool("java", home), *SHORT_LIVED, *options, *main]))

    def oracle(self, home, main, options=()):
        path = self.path_of(home, "oracle.json")
        run = Run(jvm.run([driver.tool("java", home), f"-agentpath:{ARGS.oracle}=out={path}", *SHORT_LIVED, *options, *main]), path)
        self.assertTrue(os.path.exists(path), run.stderr)
        return run

    def with_agent(self, home, main, agent_options="", before=(), after=()):
        """`before`, `after`: JVM options left and right of our agent."""
        path = self.path_of(home, "report.json")
        if os.path.exists(path):
            os.remove(path)
        agent = f"-agentpath:{ARGS.agent}=" + ",".join(filter(None, [f"out={path}", "quiet", agent_options]))
        run = Run(jvm.run([driver.tool("java", home), *SHORT_LIVED, *VERIFY, *before, agent, *after, *main]), path)
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
