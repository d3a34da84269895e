#!/usr/bin/env python3
"""Runs one program on many kinds of JVM and compares the trees.

Collectors, compilers, layouts of objects and the class archive change what the JVM does around a program
and with its code; what Copse records of the program's own methods must not depend on them: contexts, call
sites and counts are those of the first run, in every engine, with the JDK's classes (whose frames are then
taken out) and without. The program's output and exit status must be as without Copse. --all tries every
kind of JVM with every engine, else a few pairs; --table FILE writes what each kind of JVM did (reports/jvms.md)."""

import datetime
import glob
import io
import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
import compare_trees  # noqa: E402
import driver  # noqa: E402
import jvm  # noqa: E402
from checks import attempt, exit_status, require  # noqa: E402
from driver import ARGS, HERE  # noqa: E402

PROGRAMS = ["Dispatch", "Exceptions", "Initialisers", "Lambdas", "Recursion", "References", "Reflection", "Synchronized", "Threads"]
ALL, ONLY_17, WITH_TWO_KINDS_OF_ZGC, FROM_25_ON = range(100), range(17, 18), range(21, 24), range(25, 100)
# JVM options, and the JDKs they are for. What a JDK does not have is left out, with a message.
KINDS = {
    "": ALL,
    "-XX:+UseG1GC": ALL,
    "-XX:+UseParallelGC": ALL,
    "-XX:+UseSerialGC": ALL,
    "-XX:+UseZGC": ALL,
    "-XX:+UseZGC -XX:+ZGenerational": WITH_TWO_KINDS_OF_ZGC,
    "-XX:+UseShenandoahGC": ALL,
    "-Xint": ALL,
    "-XX:TieredStopAtLevel=1": ALL,
    "-XX:-TieredCompilation": ALL,
    "-Xshare:auto": ALL,
    "-Xshare:off": ALL,
    "-XX:-UseCompressedOops": ALL,
    "-XX:-UseCompressedClassPointers": ONLY_17,
    "-XX:+UseCompactObjectHeaders": FROM_25_ON,
    "-XX:+UseCompactObjectHeaders -XX:+UseParallelGC": FROM_25_ON,
    "-XX:+UseCompactObjectHeaders -XX:+UseSerialGC": FROM_25_ON,
    "-XX:+UseCompactObjectHeaders -XX:+UseZGC": FROM_25_ON,
    "-XX:+UseCompactObjectHeaders -XX:+UseShenandoahGC": FROM_25_ON,
    # The context word is in a final field.
    "-XX:+UnlockExperimentalVMOptions -XX:+TrustFinalNonStaticFields": ALL,
    "-XX:+UnlockExperimentalVMOptions -XX:+TrustFinalNonStaticFields -XX:TieredStopAtLevel=1": ALL,
    "-XX:+UnlockExperimentalVMOptions -XX:+TrustFinalNonStaticFields -XX:-TieredCompilation": ALL,
    "--illegal-final-field-mutation=deny": ALL,  # from JDK 26 on
}
WITH_CPU = "engine=inline,measure=calls,measure=cpu:interval=2ms"
JDK_WITH_CPU = WITH_CPU + ",jdk"
ENGINES = ["engine=inline", WITH_CPU, JDK_WITH_CPU, "engine=parallel", "mode=ids,encoder=segment,mark=**", "engine=inline,jdk",
           "engine=parallel,jdk", "mode=ids,encoder=segment,mark=**,jdk"]
# (JDK, kind of JVM, agent options), after the newest JDK as it comes with WITH_CPU
A_FEW = [
    (17, "-XX:-UseCompressedClassPointers", "engine=inline"),
    (17, "-XX:+UseShenandoahGC", "engine=parallel"),
    (17, "-XX:+UseZGC", JDK_WITH_CPU),
    (21, "-XX:+UseZGC -XX:+ZGenerational", "engine=inline,jdk"),
    (25, "-XX:+UseCompactObjectHeaders", "engine=parallel,jdk"),
    (25, "-XX:+UseCompactObjectHeaders -XX:+UseZGC", WITH_CPU),
    (25, "-XX:+UnlockExperimentalVMOptions -XX:+TrustFinalNonStaticFields", "engine=inline"),
    (25, "-XX:TieredStopAtLevel=1", "mode=ids,encoder=segment,mark=**"),
]


class Matrix:
    def __init__(self):
        self.homes = {jvm.feature_version(home): home for home in reversed(ARGS.homes)}
        sources = [os.path.join(os.path.dirname(HERE), "exactness", "programs", f"{name}.java") for name in PROGRAMS]
        self.classes = driver.compiled(["Together.java", *sources], options=["--release", "17"])
        self.own = {os.path.basename(path)[:-6] for path in glob.glob(os.path.join(self.classes, "*.class"))}
        self.bare = {}
        self.expected = None  # the first report

    def has(self, version, kind):
        return jvm.run([driver.tool("java", self.homes[version]), *kind.split(), "-version"]).status == 0

    def run(self, version, kind, extra=()):
        return jvm.run(driver.java_command("Together", home=self.homes[version], classes=self.classes,
                                           jvm_options=[*extra, *kind.split()]))

    def report_of(self, path):
        report = compare_trees.load(path)
        lost = report["totals"]["calls_lost"]
        require(lost == 0, f"{lost} calls lost")
        # Only the program's own methods are compared.
        others = {name for name in report["methods"]["class"] if name not in self.own}
        report["skipped"] = [{"class": name, "method": "", "reason": ""} for name in others]
        return report

    def check_cpu(self, report):
        """The program spends a good part of its processor time in itself, as its samples must say: they read the context word
        where the JVM keeps the thread's object."""
        classes, nodes = report["methods"]["class"], report["nodes"]
        own = sum(ns for method, ns in zip(nodes["method"], nodes["cpu_ns"]) if method >= 0 and classes[method] in self.own)
        require(own > 0.2 * sum(nodes["cpu_ns"]), f"{own} ns of {sum(nodes['cpu_ns'])} in the program's methods")

    def check(self, version, kind, options):
        alone = kind if ARGS.all else ""  # the program prints the same on each kind of JVM
        if (version, alone) not in self.bare:
            self.bare[version, alone] = self.run(version, alone)
        bare = self.bare[version, alone]
        require(bare.status == 0, f"without Copse: {bare}")
        path = os.path.join(ARGS.work, "report.json")
        if os.path.exists(path):
            os.remove(path)
        outcome = self.run(version, kind, [f"-agentpath:{ARGS.agent}=out={path},quiet,{options}"])
        require(outcome == bare, f"the program's outcome changed: {outcome}, without Copse {bare}")
        require(os.path.exists(path), "no report was written")
        report = self.report_of(path)
        if options == WITH_CPU:  # with the JDK's classes most of it is in those
            self.check_cpu(report)
        if self.expected is None:
            self.expected = report
            return "the tree that others are compared with"
        out = io.StringIO()
        require(compare_trees.compare(self.expected, report, out=out), out.getvalue())
        return out.getvalue().strip()

    def pairs(self):
        if not ARGS.all:
            yield max(self.homes), "", WITH_CPU
            for version, kind, options in A_FEW:
                if version in self.homes:
                    yield version, kind, options
            return
        for version in self.homes:
            for kind, only in KINDS.items():
                for options in ENGINES if version in only else ():
                    yield version, kind, options


def write_table(path, tried, homes):
    """`tried`: (JDK, kind of JVM) -> whether each engine passed; empty where this JDK does not have the kind."""
    versions = sorted(homes)
    with open(path, "w", encoding="utf-8") as table:
        table.write("# JVMs that were tried\n\n"
                    "`tests/e2e/jvms` runs one program on each kind of JVM, with every engine, with context ids and with `--jdk`, and\n"
                    "compares contexts, call sites, counts, output and exit status. A cell has how many of these runs were right.\n\n"
                    f"    tests/e2e/jvms/run.py --agent build/release/libcopse.so --work FOLDER --all --table reports/jvms.md\n\n"
                    f"{datetime.date.today()}, " + "; ".join(jvm.run([driver.tool("java", homes[version]), "-version"]).stderr.splitlines()[1]
                                                             for version in versions) + "\n\n")
        table.write("| options of the JVM | " + " | ".join(f"JDK {version}" for version in versions) + " |\n")
        table.write("|---|" + "---|" * len(versions) + "\n")
        for kind in dict.fromkeys(kind for _, kind in tried):
            cells = []
            for version in versions:
                passed = tried.get((version, kind))
                cells.append("" if passed is None else f"{sum(passed)} of {len(passed)}" if passed else "not in this JDK")
            table.write(f"| {f'`{kind}`' if kind else 'none'} | " + " | ".join(cells) + " |\n")


def main():
    made = driver.parser("agent", all="every kind of JVM with every engine")
    made.add_argument("--table", help="Markdown file to write")
    driver.begin(made, also=(21,))
    matrix = Matrix()
    for version in {17, 21, 25} - matrix.homes.keys():
        print(f"skipped: no JDK {version} on this machine")
    known, tried = {}, {}
    for version, kind, options in matrix.pairs():
        where = f"JDK {version}, {kind or 'as it comes'}"
        if (version, kind) not in known:
            known[version, kind] = matrix.has(version, kind)
            if not known[version, kind]:
                print(f"{where}: skipped: this JVM does not have it", flush=True)
        passed = tried.setdefault((version, kind), [])
        if known[version, kind]:
            passed.append(attempt(f"{where}, {options}", lambda: matrix.check(version, kind, options)))
    if ARGS.table:
        write_table(ARGS.table, tried, matrix.homes)
    return exit_status()


sys.exit(main())
