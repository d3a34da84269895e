#!/usr/bin/env python3
"""Runs Java programs under Copse and compares the trees with the reference agent's.

Per program and JDK: a bare run, a run under the oracle, and Copse in every variant below. Each must
leave the program's output and exit status as they were, prove its totals and give the oracle's tree;
runs of equal options must give equal reports. Programs carry directives in comments:

    // e2e: jdk-below CLASS.METHOD   compare a --jdk run below this method too
    // e2e: ignore CLASS.METHOD      this method's calls are not compared (what it calls is)
    // e2e: jdk-ignore CLASS.METHOD  the same, in --jdk runs only
    // e2e: natives                  the program is given the path of a library with its native methods
    // e2e: same-on-all-jdks         contexts and counts are the same on each
    // e2e: not-by-ids               contexts of ids are not compared
    // e2e: unrepeatable             two runs of the program itself differ"""

import glob
import io
import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import big_methods  # noqa: E402
import compare_trees  # noqa: E402
import driver  # noqa: E402
import jvm  # noqa: E402
from checks import Failed, attempt, exit_status, require  # noqa: E402
from tally import checked  # noqa: E402
from driver import ARGS, HERE  # noqa: E402

# Name -> agent options. Every pair of variants must give the same contexts, or those with recursion merged.
VARIANTS = {
    "1 worker, 8-record packets": "engine=parallel:workers=1:packet=8",
    "uptree": "engine=uptree",
    "in-line": "engine=inline",
    # Stacks that are no larger: of each context in a recursion of native methods the id is decoded.
    "context ids": "mode=ids,encoder=segment,mark=**,keep-stack-size",
    "in-line, no sites": "engine=inline,no-sites",
    "in-line, recursion merged": "engine=inline,recursion=merge",
}
# Variants for every JDK but the first: one for each kind of probe. How packets are folded is the same on all.
ON_EVERY_JDK = ("1 worker, 8-record packets", "in-line", "context ids")
# Programs for JDK 21, where COPSE_TEST_JDKS does not name it: one for each kind of what JDKs do differently.
ON_JDK_21 = ("Exceptions", "JdkWork", "Lambdas", "References", "Reflection", "Threads")
# With the JDK's classes; the first on the first JDK alone.
JDK_VARIANTS = ("engine=parallel", "engine=inline", "mode=ids,encoder=segment,mark=**")
# With --all: variants that differ from these, or from `copse run`, only in ways that another one of them has too.
MORE_VARIANTS = {
    "4 workers": "engine=parallel:workers=4:packet=4096",
    "4 workers again": "engine=parallel:workers=4:packet=4096",
    "4 workers, 8-record packets": "engine=parallel:workers=4:packet=8",
    "1 worker": "engine=parallel:workers=1:packet=4096",
    "no sites": "engine=parallel,no-sites",
    "recursion merged": "engine=parallel,recursion=merge",
    "uptree, recursion merged": "engine=uptree,recursion=merge",
}
# With --encoders: those that number the calls of an earlier run, once of this program and once of little of it.
STATIC_ENCODERS = ("pcce", "deltapath", "rcce")
# With the JDK's classes every class goes through the verifier, those of the boot loader too. The others always do.
VERIFY = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationRemote", "-XX:+BytecodeVerificationLocal"]
VERIFY_NOTICE = r"(OpenJDK|Java HotSpot).* warning: Option(s)? .*Verif"  # newer JVMs print one
# Makes the JDK's own work repeatable: no archived classes and lambda forms (the agent has none), and
# equal identity hashes, which decide how its tables collide, and each exception of the VM constructed.
SAME_JDK = ["-Xshare:off", "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2", "-XX:-OmitStackTraceInFastThrow"]
# The interpreter answers these itself and posts no event for them, so the oracle cannot count them.
INTERPRETED_INTRINSICS = [
    f"java.lang.Math.{name}"
    for name in ("sin", "cos", "tan", "tanh", "sinh", "abs", "sqrt", "cbrt", "log", "log10", "pow", "exp", "fma")
] + [f"java.lang.StrictMath.{name}" for name in ("abs", "sqrt")] + [
    "java.lang.ref.Reference.get", "java.lang.ref.Reference.get0", "java.lang.Thread.currentThread",
    "java.util.zip.CRC32.update", "java.util.zip.CRC32.updateBytes0", "java.util.zip.CRC32.updateByteBuffer0",
    "java.util.zip.CRC32C.updateBytes", "java.util.zip.CRC32C.updateDirectByteBuffer",
    "java.lang.Float.float16ToFloat", "java.lang.Float.floatToFloat16",
    "jdk.internal.misc.Unsafe.makeLong",  # called by a body that compilers replace, sooner on one JDK than on another
]


def source_of(name):
    if name == "BigMethods":
        return big_methods.source()
    with open(os.path.join(HERE, "programs", f"{name}.java"), encoding="utf-8") as file:
        return file.read()


def directives(source):
    found = {"jdk-below": [], "ignore": [], "jdk-ignore": [], "natives": [], "same-on-all-jdks": [], "not-by-ids": [],
             "unrepeatable": []}
    for name, value in re.findall(r"^// e2e: (\S+) ?(.*)$", source, re.MULTILINE):
        found[name].append(value)
    return found


def load(path, outcome):
    require(os.path.exists(path), f"no report was written; standard error: {outcome.stderr.strip()!r}")
    try:
        return compare_trees.load(path)
    except AssertionError as broken_proof:
        raise Failed(str(broken_proof))


def check_nothing_lost(report):
    require(report["totals"]["calls_lost"] == 0, f"{report['totals']['calls_lost']} calls lost")


def check_tree(oracle, report, ignore, below=None, sites=True, merged=False):
    out = io.StringIO()
    if not compare_trees.compare(oracle, report, ignore, below, sites, merged, out=out):
        raise Failed("differs from the reference agent: " + out.getvalue())
    contexts, calls = re.search(r"equal: (\d+) contexts, (\d+) calls", out.getvalue()).groups()
    checked(int(calls), "calls against the JVM's own events")
    checked(int(contexts), "contexts against the JVM's own events")
    return out.getvalue().strip()


def check_same_report(name, first, second):
    for part in ("methods", "sites", "nodes", "skipped"):
        require(first[part] == second[part], f"{name}: '{part}' differs between two runs of equal options")


def compiled(sources, folder, home):
    return driver.compiled(sources, folder, home, ["--release", "17"])


def classes_of(home):
    return os.path.join(ARGS.classes, os.path.basename(home))


class Program:
    def __init__(self, name, home):
        source = source_of(name)
        self.name = name
        self.java = driver.tool("java", home)
        self.folder = os.path.join(ARGS.work, os.path.basename(home))
        os.makedirs(self.folder, exist_ok=True)
        self.directives = directives(source)
        compiler = ARGS.homes[0] if self.directives["same-on-all-jdks"] else home
        classes = classes_of(compiler) if ARGS.classes else compiled([source], os.path.join(self.folder, "classes"), compiler)
        self.main = ["-XX:+UseSerialGC", "-cp", classes, name]  # trees under other collectors: tests/e2e/jvms
        if self.directives["natives"]:
            access = ["--enable-native-access=ALL-UNNAMED"] if jvm.feature_version(home) >= 22 else []
            self.main = [*access, *self.main, ARGS.natives]
        self.bare = jvm.run([self.java, *self.main])
        self.jdk_oracle = None  # once for all: taking every event of the JDK's classes is slow
        self.jdk_runs = {}  # by engine, for all that is compared below one method or another

    def path(self, name):
        return os.path.join(self.folder, re.sub(r"\W+", "-", f"{self.name} {name}") + ".json")

    def check_outcome(self, outcome, ours=None):
        """`ours` matches the lines that are not the program's."""
        stderr = outcome.stderr
        if ours:
            stderr = "".join(line for line in stderr.splitlines(True) if not re.match(ours, line))
        require(outcome.status == self.bare.status, f"exit status {outcome.status}, without Copse {self.bare.status};"
                f" standard error: {outcome.stderr.strip()!r}")
        require(outcome.stdout == self.bare.stdout, f"printed {outcome.stdout!r}, without Copse {self.bare.stdout!r}")
        require(stderr == self.bare.stderr, f"standard error {stderr!r}, without Copse {self.bare.stderr!r}")

    def oracle(self, extra="", jvm_options=()):
        path = self.path("oracle" + extra)
        outcome = jvm.run([self.java, f"-agentpath:{ARGS.oracle}=out={path}{extra}", "-Xint", *jvm_options, *self.main])
        require(outcome.status == self.bare.status, f"the reference agent: {outcome}")
        return load(path, outcome)

    def agent(self, name, options, jvm_options=()):
        path = self.path(name)
        if os.path.exists(path):
            os.remove(path)
        outcome = jvm.run([self.java, f"-agentpath:{ARGS.agent}=out={path},quiet,{options}", *jvm_options, *self.main])
        return outcome, path

    def check_variant(self, name, options, oracle):
        outcome, path = self.agent(name, options)
        self.check_outcome(outcome)
        report = load(path, outcome)
        check_nothing_lost(report)
        if self.directives["natives"]:
            require(not report["skipped"], f"skipped: {report['skipped']}")
        said = check_tree(oracle, report, self.directives["ignore"], sites="no-sites" not in options,
                          merged="recursion=merge" in options)
        return report, said

    def check_cli(self, oracle):
        path = self.path("cli")
        outcome = jvm.run([ARGS.copse, "run", "--quiet", "-o", path, "--engine", "parallel:workers=4:packet=4096",
                           "--", self.java, *self.main])
        self.check_outcome(outcome, r"(Picked up JAVA_TOOL_OPTIONS|copse)")
        report = load(path, outcome)
        check_nothing_lost(report)
        return check_tree(oracle, report, self.directives["ignore"])

    def check_jdk(self, below, engine):
        if self.jdk_oracle is None:
            below_all = "".join(f",below={method}" for method in self.directives["jdk-below"])
            self.jdk_oracle = self.oracle(",jdk" + below_all, SAME_JDK)
        if engine not in self.jdk_runs:
            outcome, path = self.agent("jdk", f"jdk,{engine}", VERIFY + SAME_JDK)
            self.check_outcome(outcome, VERIFY_NOTICE)
            self.jdk_runs[engine] = load(path, outcome)
            check_nothing_lost(self.jdk_runs[engine])
        return check_tree(self.jdk_oracle, self.jdk_runs[engine], self.directives["ignore"] + self.directives["jdk-ignore"] +
                          INTERPRETED_INTRINSICS, below)


def check_program(name, home):
    """Each of its checks; fails itself when there is nothing to compare with."""
    program = Program(name, home)
    where = f"{name} on {os.path.basename(home)}: "
    oracle = program.oracle()
    reports = {}

    def variant(what, options):
        reports[what], said = program.check_variant(what, options, oracle)
        return said

    def is_wanted(options):
        return "mode=ids" not in options or not program.directives["not-by-ids"]

    for what, options in (VARIANTS | MORE_VARIANTS if ARGS.all else VARIANTS).items():
        if not is_wanted(options):
            continue
        if ARGS.all or home == ARGS.homes[0] or what in ON_EVERY_JDK:
            attempt(where + what, lambda: variant(what, options))
    if "4 workers" in reports and "4 workers again" in reports and not program.directives["unrepeatable"]:
        attempt(where + "second run", lambda: check_same_report(name, reports["4 workers"], reports["4 workers again"]))
    if ARGS.encoders:
        for encoder in ("dacce", "luce"):
            attempt(where + encoder, lambda: variant(encoder, f"mode=ids,encoder={encoder},mark=**"))
    for encoder in STATIC_ENCODERS if ARGS.encoders else ():
        for engine, part in (("in-line", ""), ("of main alone", "include=*.main,")):
            if part:
                program.agent(engine, part + "engine=inline")
            options = f"mode=ids,encoder={encoder},graph={program.path(engine)},mark=**"
            attempt(where + f"{encoder}, graph {engine}", lambda: variant(encoder, options))
    is_first = ARGS.all or home == ARGS.homes[0]
    if ARGS.copse and is_first:
        attempt(where + "copse run", lambda: program.check_cli(oracle))
    for below in program.directives["jdk-below"]:
        for engine in filter(is_wanted, JDK_VARIANTS if is_first else JDK_VARIANTS[1:]):
            attempt(where + f"--jdk, {engine}, below {below}", lambda: program.check_jdk(below, engine))
    return f"{len(reports)} variants gave a report"


def is_for(name, home):
    return jvm.feature_version(home) != 21 or name in ON_JDK_21 or "COPSE_TEST_JDKS" in os.environ or ARGS.all


def check_same_on_all(name):
    """The reports that check_program() left of the program, if it is to have the same tree on all JDKs."""
    if not directives(source_of(name))["same-on-all-jdks"]:
        return "may differ"
    homes = [home for home in ARGS.homes if is_for(name, home)]
    paths = [os.path.join(ARGS.work, os.path.basename(home), f"{name}-in-line.json") for home in homes]
    reports = [compare_trees.load(path) for path in paths]
    return ", ".join(check_tree(reports[0], report, []) for report in reports[1:])


def main():
    parser = driver.parser("agent", "oracle", all="more packet sizes, workers and sites",
                           encoders="those of STATIC_ENCODERS, dacce and luce, too", first_jdk="only the first JDK found",
                           compile="makes the classes of all programs and ends")
    parser.add_argument("--natives", type=os.path.abspath, help="the library of native methods")
    parser.add_argument("--copse", type=os.path.abspath, help="the CLI; without it that variant is left out")
    parser.add_argument("--classes", type=os.path.abspath, help="folder of all programs' classes by JDK, which --compile makes")
    parser.add_argument("programs", nargs="*", help="default: all")
    driver.begin(parser, also=(21,))
    programs = glob.glob(os.path.join(HERE, "programs", "*.java"))
    every = sorted(["BigMethods", *(os.path.basename(path)[:-5] for path in programs)])
    if ARGS.compile:
        for home in ARGS.homes:
            compiled([source_of(name) for name in every if is_for(name, home)], classes_of(home), home)
        return 0
    for home in ARGS.homes[:1 if ARGS.first_jdk else None]:
        for name in filter(lambda name: is_for(name, home), ARGS.programs or every):
            attempt(f"{name} on {os.path.basename(home)}", lambda: check_program(name, home))
    if not ARGS.first_jdk:
        for name in ARGS.programs or every:
            attempt(f"{name} on all JDKs", lambda: check_same_on_all(name))
    return exit_status()


sys.exit(main())
