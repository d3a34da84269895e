"""The JDKs of this machine, and how their programs are run."""

import contextlib
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
# Longest time that a test waits for anything: what hangs is found, and what a busy machine keeps waiting is no failure.
TIMEOUT_S = 600

OLDEST_JDK = 17

Outcome = namedtuple("Outcome", "status stdout stderr")


def installed_jdks():
    """Version -> home of the JDKs of this machine: the one on the PATH (or JAVA_HOME) first, then by version those of
    /usr/lib/jvm and of scripts/jdks."""
    javac = shutil.which("javac", path=os.path.join(os.environ.get("JAVA_HOME", ""), "bin")) or shutil.which("javac")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ.get("HOME", "/tmp"), ".cache")
    folder = os.environ.get("COPSE_JDKS") or os.path.join(cache, "copse-jdks")
    releases = sorted(glob.glob("/usr/lib/jvm/*/release")) + sorted(glob.glob(os.path.join(folder, "[0-9]*", "release")))
    homes = [os.path.realpath(os.path.dirname(release)) for release in releases]
    homes = [home for home in homes
             if os.access(os.path.join(home, "bin", "javac"), os.X_OK) and feature_version(home) >= OLDEST_JDK]
    first = [os.path.dirname(os.path.dirname(os.path.realpath(javac)))] if javac else []
    found = {}
    for home in first + sorted(homes, key=feature_version):
        found.setdefault(feature_version(home), home)
    return found


def find_jdks(also=()):
    """Homes of the JDKs to test with: the one on the PATH and a JDK 25, and of these versions those that are there; or those
    that COPSE_TEST_JDKS names, versions or `all`."""
    found = installed_jdks()
    named = os.environ.get("COPSE_TEST_JDKS", "").split()
    if "all" in named:
        return list(found.values())
    for version in named:
        if int(version) not in found:
            sys.exit(f"COPSE_TEST_JDKS: no JDK {version} on this machine (scripts/jdks {version})")
    versions = map(int, named) if named else [*list(found)[:1], *sorted({25, *also} - set(list(found)[:1]))]
    return [found[version] for version in versions if version in found]


def feature_version(home):
    """25 for JDK 25; 0 when its release file does not say."""
    with open(os.path.join(home, "release"), encoding="utf-8") as file:
        found = re.search(r'^JAVA_VERSION="(\d+)', file.read(), re.MULTILINE)
    return int(found.group(1)) if found else 0


def skip(why):
    """Ends the driver: as a failure in continuous integration, whose machine has to have what the tests need."""
    print(f"skipped: {why}")
    sys.exit(1 if os.environ.get("CI") else SKIPPED)


def need_jdks(also=()):
    return find_jdks(also) or skip("no JDK (javac) on this machine")


def run(command, given=None, timeout=None, **more):
    """Runs to the end, with a text on standard input or nothing. One that takes longer than `timeout`, TIMEOUT_S by
    default, is ended with all that it started, and has status 'timeout'."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **more)
    status = None
    try:
        stdout, stderr = process.communicate(None if given is None else given.encode(), timeout or TIMEOUT_S)
    except subprocess.TimeoutExpired:
        status = "timeout"
    finally:
        if process.returncode is None:
            end_all_of(process)
    if status:
        stdout, stderr = process.communicate()
    return Outcome(status or process.returncode, stdout.decode(errors="replace"), stderr.decode(errors="replace"))


def end_all_of(process):
    """Ends the process group: a JVM outlives the `copse run` that started it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def child_of(pid):
    """The first child of a process: the JVM under `copse run`. None when it has no child."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
        return next(map(int, children.read().split()), None)


def turns_of(pid, name):
    """How often the thread of a process with this name went to wait."""
    for task in glob.glob(f"/proc/{pid}/task/*"):
        with open(task + "/status", encoding="ascii") as file:
            status = file.read()
        if status.startswith(f"Name:\t{name}\n"):
            return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.MULTILINE)[1])
    return 0


def wait_for_turns(pid, name):
    """Until a thread that works at intervals has done so from now on, whenever it gets a processor."""
    until, deadline = turns_of(pid, name) + 4, time.monotonic() + TIMEOUT_S
    while turns_of(pid, name) < until:
        if time.monotonic() > deadline:
            raise AssertionError(f"{name}: no turn in {TIMEOUT_S} s")
        time.sleep(0.02)


def compile_java(home, sources, folder, options=()):
    """Compiles into `folder`; ends the test when the compiler fails."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    # For a program this small, C2 never pays for compiling the compiler, nor does verifying its classes.
    fast = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-XX:+UnlockDiagnosticVMOptions", "-J-XX:-BytecodeVerificationRemote"]
    outcome = run([os.path.join(home, "bin", "javac"), *fast, "-nowarn", "-Xlint:-options", *options, "-d", folder, *sources])
    if outcome.status != 0:
        print(f"javac: {' '.join(sources)}: failed\n{outcome.stderr}")
        sys.exit(1)
