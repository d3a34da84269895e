"""Base of every end-to-end driver: its arguments, its programs compiled, a fresh folder per test, the
commands run in there, and the reports they leave.

    sys.path.insert(1, sys.path[0] + "/..")
    import driver
    class Hello(driver.CommandLineTest): ...
    driver.main("copse", sources=["Hello.java"])

    hello_test.py --copse build/release/copse [--work DIR] [Hello.test_...]"""

import argparse
import atexit
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter

import compare_trees
import jvm

os.environ["COLUMNS"] = "100"  # lines are cut as on a terminal of that width, wherever the tests run

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
HERE = os.path.dirname(os.path.abspath(sys.argv[0]))  # the driver's folder
# The driver's arguments, the `homes` of the JDKs, and where main() got sources the folder of their `classes`.
ARGS = argparse.Namespace()


def parser(*paths, **flags):
    """Parser of a driver's arguments: required files and folders, and flags with their help texts."""
    made = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    for path in paths:
        made.add_argument(f"--{path}", required=True, type=os.path.abspath)
    for flag, help_text in flags.items():
        made.add_argument("--" + flag.replace("_", "-"), action="store_true", help=help_text)
    made.add_argument("--work", type=os.path.abspath, help="folder for classes and reports (default: a temporary one)")
    return made


def begin(parser_of_driver, jdks=False, also=()):
    """Takes the arguments and makes the folder for work. Skips the test without a JDK that it needs. `also`: versions for
    jvm.find_jdks()."""
    parser_of_driver.parse_args(namespace=ARGS)
    ARGS.homes = jvm.need_jdks(also) if jdks or also else []
    if not ARGS.work:
        ARGS.work = tempfile.mkdtemp(prefix="copse-e2e-")
        atexit.register(shutil.rmtree, ARGS.work, ignore_errors=True)
    os.makedirs(ARGS.work, exist_ok=True)


class TimedResult(unittest.TextTestResult):
    """Says how long each test took, and its processor time with that of the processes that it waited for."""

    def startTest(self, test):
        self.started = time.monotonic(), sum(os.times()[:4])
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        wall, processor = time.monotonic() - self.started[0], sum(os.times()[:4]) - self.started[1]
        self.stream.writeln(f"  {wall:.1f} s, {processor:.1f} s of processor time")


def main(*paths, sources=(), jdks=False, also=(), **flags):
    """Runs the driver's tests, or those that are named. They need a JDK when there are sources, or with `jdks`."""
    made = parser(*paths, **flags)
    made.add_argument("tests", nargs="*", help="CLASS.test_...; default: all")
    begin(made, jdks or sources, also)
    if sources:
        ARGS.classes = compiled(sources)
    unittest.main(argv=[sys.argv[0], *ARGS.tests], testRunner=unittest.TextTestRunner(verbosity=2, resultclass=TimedResult))


def crossed(first, second):
    """Pairs: with --all each of the first with each of the second, else so few that each of both is in one."""
    if ARGS.all:
        return list(itertools.product(first, second))
    first, second = list(first), list(second)
    return [(first[i % len(first)], second[i % len(second)]) for i in range(max(len(first), len(second)))]


def compiled(sources, name="classes", home=None, options=()):
    """Folder with the classes of these sources: Java text, or paths as seen from the driver."""
    texts = os.path.join(ARGS.work, "sources")
    os.makedirs(texts, exist_ok=True)
    files = []
    for source in map(str, sources):
        if public := re.search(r"^public class (\w+)", source, re.MULTILINE):
            files.append(os.path.join(texts, public[1] + ".java"))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(source)
        else:
            files.append(os.path.join(HERE, source))
    folder = os.path.join(ARGS.work, name)
    if "context_jar" in ARGS:
        options = ["-cp", ARGS.context_jar, *options]
    jvm.compile_java(home or ARGS.homes[0], files, folder, options)
    return folder


def tool(name, home=None):
    """Path of a program of a JDK, the first one by default."""
    return os.path.join(home or ARGS.homes[0], "bin", name)


def java_command(program, *arguments, home=None, classes=None, jvm_options=()):
    class_path = [classes or ARGS.classes] + ([ARGS.context_jar] if "context_jar" in ARGS else [])
    return [tool("java", home), *jvm_options, "-cp", os.pathsep.join(class_path), program, *map(str, arguments)]


def with_agent(command, options):
    """The command of java_command(), with the agent in it."""
    return [command[0], f"-agentpath:{ARGS.agent}={options}", *command[1:]]


def calls_by_method(report):
    """Name of each method of a report -> its calls in all contexts. Methods of one name count together."""
    names, nodes = report["methods"]["name"], report["nodes"]
    calls = Counter(dict.fromkeys(names, 0))
    for method, count in zip(nodes["method"], nodes["calls"]):
        if method >= 0:
            calls[names[method]] += count
    return calls


def end_all_of(process):
    jvm.end_all_of(process)
    process.communicate()


class CommandLineTest(unittest.TestCase):
    """Each test has a folder of its own, empty at first, in which its commands run."""

    def lack(self, what):
        """Skips the test on a machine that lacks what scripts/install_packages installs, or a JDK. Fails in continuous integration."""
        self.assertFalse(os.environ.get("CI"), what)
        self.skipTest(what)

    def schema(self, name):
        """Validator of the JSON schema reports/NAME.schema.json."""
        try:
            import jsonschema
        except ImportError:
            self.lack("python3-jsonschema is not installed")
        schema = json.loads((REPOSITORY / f"reports/{name}.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft7Validator.check_schema(schema)
        return jsonschema.Draft7Validator(schema)

    def setUp(self):
        self.folder = pathlib.Path(ARGS.work, self.id().split(".")[-1])
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.report = self.path("report.json")

    def path(self, name):
        return os.path.join(self.folder, name)

    def copse(self, *words, **more):
        return jvm.run([ARGS.copse, *map(str, words)], **{"cwd": self.folder} | more)

    def done(self, *words, **more):
        """The same, of a command that succeeds."""
        outcome = self.copse(*words, **more)
        self.assertEqual(outcome.status, 0, outcome)
        return outcome

    def start(self, command, *lines, **more):
        """A process that has printed these lines first. Neither it nor what it started outlives the test."""
        process = subprocess.Popen(command, **{"cwd": self.folder, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE,
                                               "stderr": subprocess.PIPE, "text": True} | more, start_new_session=True)
        self.addCleanup(end_all_of, process)
        for line in lines:
            self.assertEqual(process.stdout.readline(), line + "\n")
        return process

    @staticmethod
    def asked(process, line):
        """The line that a process answers to this one."""
        process.stdin.write(line + "\n")
        process.stdin.flush()
        return process.stdout.readline().rstrip("\n")

    def load(self, name=None):
        """A report, `self.report` by default, whose proof holds."""
        return compare_trees.load(self.path(name or self.report))

    def calls(self, method, name=None):
        """Calls of the methods of this name in that report."""
        return calls_by_method(self.load(name))[method]

    def assert_waited(self, found, least, most, report, waits=1):
        """`found`: time that looks at threads found in waits which were to last for `least` ns in all, and had lasted for `most`
        when their threads went on. The two looks at either end of a wait may each be as late as any of the report's were."""
        longest_ms = next(filter(None, (re.search(r"at most ([\d,.]+) ms apart", note) for note in report["notes"])))[1]
        # Ends of several waits add up as random errors do.
        off = 2e6 * float(longest_ms.replace(",", "")) * math.sqrt(waits)
        self.assertGreaterEqual(found, least - off, (found, least, most, longest_ms))
        self.assertLessEqual(found, most + off, (found, least, most, longest_ms))

    def assert_one_line(self, outcome, status, *values, stdout=None):
        """One line of ours on standard error, which names these values: options, files, numbers, methods. Its wording
        is for tests/golden/wording."""
        lines = [line for line in outcome.stderr.splitlines() if line]
        self.assertEqual(outcome.status, status, outcome)
        self.assertEqual(len(lines), 1, outcome.stderr)
        self.assertTrue(lines[0].startswith("copse: "), outcome.stderr)
        for value in values:
            self.assertIn(str(value), lines[0])
        if stdout is not None:
            self.assertEqual(outcome.stdout, stdout)
