"""Shared parts of the scripts that measure programs: a process and its costs, its iterations, when they are steady,
and how results are written.

A runner is a command that takes `NAME -n ITERATIONS -- JVM-OPTION...` and prints `NAME iteration K: MS ms`."""

import dataclasses
import datetime
import json
import math
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ITERATION = re.compile(r"^\S+ iteration \d+: ([\d.]+) ms$", re.MULTILINE)
WINDOW = 5  # iterations whose median is compared
TOLERANCE = 0.05
ROW = 600  # letters that a row of a table has at most


def fail(message):
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(1)


@dataclasses.dataclass
class Outcome:
    status: int
    text: str
    errors: str
    usage: dict  # process_s, cpu_s, peak_mib
    too_late: bool = False  # ended by us at its limit


# Starts the command, not the script itself: Linux counts the peak memory of a process from the peak of the one that started it,
# and this interpreter has 10 MiB. It writes to a file whether the limit was reached, the status and the costs.
STARTER = """
import os, signal, sys, time
told, limit, command = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
os.set_inheritable(told, False)
start, late = time.monotonic(), []
process = os.posix_spawnp(command[0], command, os.environ, setsigdef=[signal.SIGPIPE, signal.SIGXFSZ])

def end_it(*_):
    late.append(1)
    os.kill(process, signal.SIGKILL)

signal.signal(signal.SIGALRM, end_it)
signal.setitimer(signal.ITIMER_REAL, limit)
_, status, usage = os.wait4(process, 0)
signal.setitimer(signal.ITIMER_REAL, 0)
wall = time.monotonic() - start
os.write(told, f"{len(late)} {status} {wall} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}".encode())
"""


def run_to_end(command, environment=None, limit_s=None):
    """Wall, processor time and peak memory of this process alone."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as told:
        starter = subprocess.run([sys.executable, "-ISc", STARTER, str(told.fileno()), str(limit_s or 0), *command],
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, check=False,
                                 pass_fds=[told.fileno()])
        text, errors, costs = (file.read().decode(errors="replace") for file in map(from_start, (out, err, told)))
    if starter.returncode != 0:
        fail(f"{shlex.join(command)}: not started: {errors}")
    late, status, wall, cpu, peak_kib = costs.split()
    taken = {"process_s": float(wall), "cpu_s": float(cpu), "peak_mib": int(peak_kib) / 1024}
    return Outcome(os.waitstatus_to_exitcode(int(status)), text, errors, taken, late == "1")


def from_start(file):
    file.seek(0)
    return file


def run(command):
    """Returns what a process printed and its costs; a failure of the process ends the script."""
    done = run_to_end(command)
    if done.status != 0:
        fail(f"{shlex.join(command)}: exit status {done.status}\n{done.text}{done.errors}")
    return done.text, done.usage


def agent_option(agent, options, report):
    value = ",".join(part for part in (f"out={report}", "quiet", options) if part)
    return f"-agentpath:{agent}={value}"


def iterations_of(text):
    """Milliseconds of each."""
    return [float(ms) for ms in ITERATION.findall(text)]


def run_iterations(command, count):
    """Returns the result of run() and the milliseconds of each iteration."""
    text, result = run(command)
    iterations = iterations_of(text)
    if len(iterations) != count:
        fail(f"{shlex.join(command)}: {len(iterations)} iterations in its output\n{text}")
    return result, iterations


def later_half_ms(iterations):
    return statistics.median(iterations[len(iterations) // 2:])


def medians(iterations):
    """Medians of every run of WINDOW iterations; of all if there are fewer."""
    return [statistics.median(iterations[i:i + WINDOW]) for i in range(max(1, len(iterations) - WINDOW + 1))]


def is_near(ms, steady):
    return abs(ms - steady) <= TOLERANCE * steady


def steady_from(iterations):
    """The first iteration from which on the program is steady."""
    found = medians(iterations)
    first = len(found)
    while first > 0 and is_near(found[first - 1], found[-1]):
        first -= 1
    return first


def is_steady(iterations):
    """For the second half, and ten at least."""
    return steady_from(iterations) <= min(len(iterations) // 2, len(iterations) - 2 * WINDOW)


def warm_up_s(iterations, steady_ms):
    found = medians(iterations)
    first = next((i for i, ms in enumerate(found) if is_near(ms, steady_ms)), len(iterations))
    return sum(iterations[:first]) / 1000


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(v) for v in values))


def machine():
    model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
        model = found.group(1) if found else model
    return f"{len(os.sched_getaffinity(0))} cores of {model}, {platform.system()} {platform.release()}"


def java_version(java="java"):
    return subprocess.run([java, "-version"], stderr=subprocess.PIPE, check=True).stderr.decode().splitlines()[-1]


def commit():
    """The commit of this tree; `unknown` outside a repository."""
    done = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%h"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def heading():
    """Returns the head of every result: the command, the day, the commit and the machine."""
    shown = [f"scripts/{os.path.basename(sys.argv[0])}",
             *(os.path.relpath(word, ROOT) if word.startswith(ROOT) else word for word in sys.argv[1:])]
    return {"command": shlex.join(shown), "when": datetime.date.today().isoformat(), "commit": commit(), "machine": machine()}


def json_rows(value, indent=""):
    """JSON with a row of a table on each line: a list or an object is one line if it is short or has only plain values."""
    parts = list(value.values() if isinstance(value, dict) else value) if isinstance(value, (dict, list)) else []
    line = json.dumps(value)
    if len(line) <= ROW and indent or not any(isinstance(part, (dict, list)) for part in parts):
        return line
    keys = [json.dumps(key) + ": " for key in value] if isinstance(value, dict) else [""] * len(parts)
    begin, end = "{}" if isinstance(value, dict) else "[]"
    inner = indent + " "
    return begin + "\n" + ",\n".join(inner + key + json_rows(part, inner) for key, part in zip(keys, parts)) + f"\n{indent}{end}"


def write_results(data, output, format_text):
    """OUTPUT.json and OUTPUT.txt."""
    for extension, text in ((".json", json_rows(data) + "\n"), (".txt", format_text(data))):
        with open(output + extension, "w", encoding="utf-8") as file:
            file.write(text)
