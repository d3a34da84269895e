"""What the end-to-end drivers share: finding JDKs and running a JVM."""

import glob
import os
import re
import shutil
import subprocess
import sys
import unittest
from collections import namedtuple

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
TIMEOUT_S = 240

Outcome = namedtuple("Outcome", "status stdout stderr")


def find_jdks():
    """Homes of the JDKs to test with: the one on the PATH (or JAVA_HOME), and a JDK 25 beside it."""
    homes = []
    javac = shutil.which("javac", path=os.path.join(os.environ.get("JAVA_HOME", ""), "bin")) or shutil.which("javac")
    if javac:
        homes.append(os.path.dirname(os.path.dirname(os.path.realpath(javac))))
    for home in sorted(glob.glob("/usr/lib/jvm/*25*")):
        home = os.path.realpath(home)
        if home not in homes and os.access(os.path.join(home, "bin", "javac"), os.X_OK):
            homes.append(home)
    return homes


def feature_version(home):
    """25 for JDK 25; 0 when its release file does not say."""
    with open(os.path.join(home, "release"), encoding="utf-8") as file:
        found = re.search(r'^JAVA_VERSION="(\d+)', file.read(), re.MULTILINE)
    return int(found.group(1)) if found else 0


def need_jdks():
    homes = find_jdks()
    if not homes:
        print("skipped: no JDK (javac) on this machine")
        sys.exit(SKIPPED)
    return homes


def run(command, cwd=None, env=None):
    """Runs to the end with no standard input. A run that takes too long counts as status 'timeout'."""
    try:
        done = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired as late:
        text = (late.stderr or b"").decode(errors="replace")
        return Outcome("timeout", (late.stdout or b"").decode(errors="replace"), text)
    return Outcome(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def compile_java(home, sources, folder, options=()):
    """Compiles into `folder`; ends the test when the compiler fails."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    outcome = run([os.path.join(home, "bin", "javac"), "-nowarn", "-Xlint:-options", *options, "-d", folder, *sources])
    if outcome.status != 0:
        print(f"javac: {' '.join(sources)}: failed\n{outcome.stderr}")
        sys.exit(1)


class CommandLineTest(unittest.TestCase):
    """For tests of the command line: what its answer to a mistake must look like."""

    def assert_one_line(self, outcome, status, *words):
        lines = [line for line in outcome.stderr.splitlines() if line]
        self.assertEqual(outcome.status, status, outcome)
        self.assertEqual(len(lines), 1, outcome.stderr)
        self.assertTrue(lines[0].startswith("copse: "), outcome.stderr)
        for word in words:
            self.assertIn(word, lines[0])
