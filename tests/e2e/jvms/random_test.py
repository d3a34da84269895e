#!/usr/bin/env python3
"""Runs one program with a bit of everything (Everything.java) under random commands and options of Copse, on random kinds
of JVM: what none of the tests of one thing puts together.

Each combination must leave the program's output and exit status as they are without Copse, and have a report whose proof
holds, with as many calls of the program's methods as it makes. A combination is drawn from the seed and its number; one
that fails is printed as the command line to paste.

    random_test.py --copse build/release/copse [--seed N] [--count N] [--seconds N] [--only NUMBER]"""

import os
import random
import re
import shlex
import subprocess
import sys
import threading
import time
from collections import Counter, namedtuple

sys.path.insert(1, sys.path[0] + "/..")
import compare_trees  # noqa: E402
import driver  # noqa: E402
import jvm  # noqa: E402
from checks import attempt, exit_status, Failed, require  # noqa: E402
from driver import ARGS  # noqa: E402
from tally import checked  # noqa: E402

COLLECTORS = ("", "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseZGC", "-XX:+UseShenandoahGC",
              "-XX:+UseZGC -XX:+ZGenerational", "-XX:+UseShenandoahGC -XX:+UnlockExperimentalVMOptions -XX:ShenandoahGCMode=generational")
COMPILERS = ("", "", "-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation")
LAYOUTS = ("", "", "", "-XX:-UseCompressedOops", "-XX:+UseCompactObjectHeaders")
ENGINES = ("inline", "inline", "parallel", "parallel:workers=1:packet=8", "uptree")
ENDS = ("return", "return", "exit", "halt", "throw")
MARKS = ("Everything.*", "Everything.square", "**")
FEW = ("Everything.square", "java.lang.Thread.*")  # methods that are called here and there
# Calls that the program makes each time that it does its work, however it is recorded.
CALLS = {"square": 168, "failing": 80, "thrower": 234, "add": 120, "work": 1}
# Lines on standard error that are the JVM's or Copse's.
OTHERS = re.compile(r"(copse: |OpenJDK .* warning: |WARNING: |Picked up |\[[\d.]+s\]\[warning\])")

# A combination: what Copse is told before the program's command, on which JVM, and how the program ends.
Way = namedtuple("Way", "command options home jvm_options end")


def some(dice, chances):
    """Those of the words whose chance comes up."""
    return [word for word, chance in chances if dice.random() < chance]


def measures(dice, kinds):
    taken = [dice.choice(words) for words in kinds if dice.random() < 0.4]
    return dice.sample(taken, len(taken))


EVENTS = (("cpu", "cpu=corrected", "cpu=native"), ("wall",), ("alloc", "alloc=exact"), ("exceptions",), ("locks",))


def options_of(dice, command):
    options = []
    jdk = command != "attach" and dice.random() < 0.5
    if jdk:
        options.append("--jdk")
    if command in ("run", "attach"):
        engine = dice.choice(ENGINES)
        options += ["--engine", engine, "--measure", ",".join(["calls", *measures(dice, EVENTS)])]
        options += some(dice, [("--no-sites", 0.1)])
        if engine == "inline":
            options += dice.choice(([], [], ["--by-thread", "each"], ["--slice", "Everything.part"], ["--slice", "Everything.*"]))
        options += dice.choice(([], [], [], ["--recursion", "merge"]))
        options += dice.choice(([], [], [], ["--snapshot", "50ms"]))
    elif command == "ids":
        encoder = dice.choice(("segment", "segment", "dacce", "luce", "pcc", "stack-walk"))
        # To walk the stack at each step of a recursion that overflows it takes minutes.
        options += ["--encoder", encoder, "--mark", dice.choice(FEW if encoder == "stack-walk" else MARKS)]
        taken = measures(dice, EVENTS) if encoder not in ("pcc", "stack-walk") else []
        options += ["--measure", ",".join(taken)] if taken else []
        options += ["--event-file", "events"] if encoder == "segment" and dice.random() < 0.3 else []
    elif command == "validate":
        options += ["--encoder", dice.choice(("segment", "dacce", "luce", "pcc"))]
        options += ["--check-every", dice.choice(("1", "7"))]
        options += [] if jdk else ["--stack-every", dice.choice(("0", "100", "1000"))]
    elif command == "record":
        if dice.random() < 0.3:
            return ["--values", dice.choice(FEW)]
        options += ["--packet-slots", dice.choice(("8", "64", "4096"))]
    if command in ("run", "ids", "record"):
        options += some(dice, [("--keep-stack-size", 0.2)])
    return options


class Machine:
    """JVMs of this machine: the options that each has, and the program's output on it."""

    def __init__(self):
        self.known, self.outcomes = {}, {}

    def has(self, home, options):
        key = home, options
        if key not in self.known:
            self.known[key] = jvm.run([driver.tool("java", home), *options.split(), "-version"]).status == 0
        return self.known[key]

    def bare(self, home, *words):
        """The program's outcome on this JDK without Copse."""
        key = home, words
        if key not in self.outcomes:
            given = "once\n" if len(words) > 1 else None
            self.outcomes[key] = jvm.run(program(home, "", *words), given)
            require("failed" not in self.outcomes[key].stdout, f"without Copse: {self.outcomes[key]}")
        return self.outcomes[key]

    def way(self, number):
        dice = random.Random(f"{ARGS.seed} {number}")
        command = dice.choice(("run", "run", "run", "ids", "ids", "validate", "record", "attach"))
        options = options_of(dice, command)
        home = dice.choice(ARGS.homes)
        jvm_options = [word for words in (COLLECTORS, COMPILERS, LAYOUTS)
                       for word in [dice.choice(words)] if word and self.has(home, word)]
        if not self.has(home, " ".join(jvm_options)):
            jvm_options.pop()
        return Way(command, options, home, " ".join(jvm_options), dice.choice(ENDS))


def program(home, jvm_options, *words):
    return driver.java_command("Everything", *words, home=home, jvm_options=["-Xmx512m", *jvm_options.split()])


def own_lines(text, has_lines):
    """`has_lines`: whether line numbers are the program's, too: frames that are live when their class is loaded again, for
    attach and detach, lose them."""
    lines = [line for line in text.splitlines() if not OTHERS.match(line)]
    return lines if has_lines else [re.sub(r"\((Unknown Source|\w+\.java:\d+)\)$", "", line) for line in lines]


class Combination:
    def __init__(self, way, machine, number):
        self.way, self.machine = way, machine
        self.folder = os.path.join(ARGS.work, str(number))
        os.makedirs(self.folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def copse(self, *words):
        return [ARGS.copse, *words]

    def line(self):
        """The command line that one can paste: the program with Copse, or for `attach` both."""
        way = self.way
        java = program(way.home, way.jvm_options, way.end)
        if way.command == "attach":
            return f"{shlex.join([*java, 'asked'])} & {shlex.join(self.copse(*self.words(), '$!'))}"
        return shlex.join(self.copse(*self.words(), "--", *java))

    def words(self):
        name = "calls.trace" if self.way.command == "record" else "report.json"
        return [self.way.command, "-o", self.path(name), *self.way.options]

    def check(self):
        if self.way.command == "attach":
            self.attached()
        else:
            self.ran()
        return "values" if "--values" in self.way.options else self.check_report()

    def run(self, command):
        return jvm.run(command, cwd=self.folder)

    def check_outcome(self, outcome, bare, status):
        require(outcome.status == status, f"exit status {outcome.status}, not {status}: {outcome}")
        require(outcome.stdout == bare.stdout, f"printed {outcome.stdout!r}, without Copse {bare.stdout!r}: {outcome.stderr}")
        errors, bare_errors = (own_lines(text, self.way.command != "attach") for text in (outcome.stderr, bare.stderr))
        require(errors == bare_errors, f"standard error {outcome.stderr!r}, without Copse {bare.stderr!r}")

    def ran(self):
        way = self.way
        bare = self.machine.bare(way.home, way.end)
        outcome = self.run(self.copse(*self.words(), "--", *program(way.home, way.jvm_options, way.end)))
        if way.command == "validate":  # prints what it found behind what the program prints
            require(outcome.stdout.startswith(bare.stdout), f"printed {outcome.stdout!r}, without Copse {bare.stdout!r}")
            outcome = outcome._replace(stdout=bare.stdout)
        self.check_outcome(outcome, bare, 0 if way.command == "validate" else bare.status)
        if way.command == "record" and "--values" not in way.options:
            engine = ["--engine", "uptree"] if "8" in way.options else []
            replayed = self.run(self.copse("replay", self.path("calls.trace"), "-o", self.path("report.json"), *engine))
            require(replayed.status == 0, f"replay: {replayed}")

    def attached(self):
        way = self.way
        bare = self.machine.bare(way.home, way.end, "asked")
        process = subprocess.Popen(program(way.home, way.jvm_options, way.end, "asked"), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        limit = threading.Timer(jvm.TIMEOUT_S, jvm.end_all_of, [process])
        limit.start()
        try:
            said = [process.stdout.readline()]
            begun = self.run(self.copse(*self.words(), str(process.pid)))
            require(begun.status == 0, f"attach: {begun}")
            process.stdin.write("once\n")
            process.stdin.flush()
            while said[-1] not in ("done\n", ""):
                said.append(process.stdout.readline())
            ended = self.run(self.copse("detach", str(process.pid)))
            require(ended.status == 0, f"detach: {ended}")
            rest, errors = process.communicate(timeout=jvm.TIMEOUT_S)
            self.check_outcome(jvm.Outcome(process.returncode, "".join(said) + rest, errors), bare, bare.status)
        finally:
            limit.cancel()
            driver.end_all_of(process)

    def check_report(self):
        try:
            report = compare_trees.load(self.path("report.json"))
        except (AssertionError, OSError) as broken:
            raise Failed(f"report: {broken}")
        seen, lost = report["totals"]["calls_seen"], report["totals"]["calls_lost"]
        if not {"pcc", "stack-walk"} & set(self.way.options) or self.way.command != "ids":  # their ids do not decode
            require(lost == 0, f"{lost} calls lost")
            self.check_calls(report)
        checked(seen, "calls of random combinations")
        return f"{seen:,} calls"

    def check_calls(self, report):
        methods, nodes = report["methods"], report["nodes"]
        of_program = {i: name for i, name in enumerate(methods["name"]) if methods["class"][i] == "Everything"}
        calls = Counter()
        for method, count in zip(nodes["method"], nodes["calls"]):
            calls[of_program.get(method)] += count
        marks = self.way.options[self.way.options.index("--mark") + 1] if self.way.command == "ids" else "**"
        for method, expected in CALLS.items():
            if marks in ("**", "Everything.*", f"Everything.{method}"):
                require(calls[method] == expected, f"{calls[method]} calls of {method}, not {expected}")


def main():
    made = driver.parser("copse")
    made.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    made.add_argument("--count", type=int, default=40, help="combinations to try (40)")
    made.add_argument("--seconds", type=float, default=240, help="time after which no other one begins (240)")
    made.add_argument("--only", type=int, help="the one with this number")
    driver.begin(made, also=(21,))
    print("seed", ARGS.seed, flush=True)
    ARGS.classes = driver.compiled(["Everything.java"], options=["--release", "17"])
    machine, end = Machine(), time.monotonic() + ARGS.seconds
    for number in range(ARGS.count) if ARGS.only is None else [ARGS.only]:
        if time.monotonic() > end:
            print(f"{number} combinations in {ARGS.seconds:g} s")
            break
        combination = Combination(machine.way(number), machine, number)
        if not attempt(f"{number}: {combination.line()}", combination.check):
            print(f"  again: {sys.argv[0]} --copse {ARGS.copse} --seed {ARGS.seed} --only {number}")
        checked(1, "random combinations of commands, options and JVMs")
    return exit_status()


sys.exit(main())
