"""The rows of scripts/peers: how each profiler is put into a JVM, and the calls per method that it leaves."""

import collections
import dataclasses
import glob
import json
import os
import shutil
import subprocess
import typing
from xml.sax.saxutils import escape

import measuring

SOURCES = os.path.join(measuring.ROOT, "tests/bench/peers")
ASM = ("/usr/share/java/asm.jar", "/usr/share/java/asm-commons.jar")
ASM_PACKAGE = "libasm-java"
BARE = "bare"
COPSE = "copse"
CPU = "measure=cpu:interval=10ms"


@dataclasses.dataclass
class Kit:
    """Needs of the rows. `classes`: those that Copse recorded of the program; empty before its run."""
    folder: str  # what is built once; below it `run`, empty before each run
    agent: str
    reference: str
    homes: dict  # "" -> home of the JDK for all rows, "25" -> that of the rows that need JDK 25
    classes: tuple = ()

    def built(self, name):
        return os.path.join(self.folder, name)

    def left(self, name):
        """Path of a file that a run leaves, or is given."""
        return os.path.join(self.folder, "run", name)

    def begin_run(self):
        shutil.rmtree(self.left(""), ignore_errors=True)
        os.mkdir(self.left(""))


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    gives: str
    exact: str
    options: typing.Callable[[Kit], list]  # of the JVM
    calls: typing.Callable[[Kit], dict] = lambda kit: {}  # method -> calls, of the run that has just ended
    needs: str = ""  # "asm", "reference", or nothing more than a JDK
    jdk: str = ""  # a key of Kit.homes
    is_bounded: bool = False  # to --tree-iterations
    needs_classes: bool = False  # those of the kit


# Copse, and what writes a report as Copse does.

def calls_of_report(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    methods, nodes = report["methods"], report["nodes"]
    names = [f"{c}.{n}{d}" for c, n, d in zip(methods["class"], methods["name"], methods["descriptor"])]
    calls = collections.Counter()
    for method, count in zip(nodes["method"], nodes["calls"]):
        if method >= 0:
            calls[names[method]] += count
    return +calls


def copse_options(options):
    return lambda kit: [measuring.agent_option(kit.agent, options, kit.left("report.json"))]


def report_calls(kit):
    return calls_of_report(kit.left("report.json"))


def classes_of(calls):
    return tuple(sorted({name.split("(")[0].rsplit(".", 1)[0] for name in calls}))


def tree_options(kit):
    return [f"-agentpath:{kit.reference}=out={kit.left('tree.json')}"]


# The flat counter by ASM.

def build_flat_counter(kit, javac, jar):
    """flat.jar, for the boot loader, and the folder `rewriting`, for the agent's own."""
    def compiled(part, class_path):
        target = kit.built(part)
        measuring.run([javac, "-nowarn", "-Xlint:-options", "--release", "17", "-cp", class_path, "-d", target,
                       *sorted(glob.glob(os.path.join(SOURCES, "flat", part, "*.java")))])
        return target

    counting = compiled("counting", ".")
    with open(kit.built("manifest"), "w", encoding="utf-8") as file:
        file.write("Premain-Class: flatcounter.FlatAgent\nBoot-Class-Path: flat.jar\n")
    measuring.run([jar, "--create", "--file", kit.built("flat.jar"), "--manifest", kit.built("manifest"), "-C", counting, "."])
    compiled("rewriting", os.pathsep.join((counting, *ASM)))


def flat_options(form):
    return lambda kit: [f"-javaagent:{kit.built('flat.jar')}={form},{kit.left('flat.txt')},"
                        f"{os.pathsep.join((kit.built('rewriting'), *ASM))}"]


def flat_calls(kit):
    """Loaders may have classes of one name: their calls count together, as in the other rows."""
    calls = collections.Counter()
    with open(kit.left("flat.txt"), encoding="utf-8") as file:
        for count, name in (line.rstrip("\n").split("\t", 1) for line in file):
            if count != "skipped":
                calls[name] += int(count)
    return calls


# jdk.MethodTiming of the JDK's flight recorder.

def timing_settings(classes):
    """A filter names one class, without wildcards, so all are listed."""
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<configuration version="2.0">\n <event name="jdk.MethodTiming">\n'
            '  <setting name="enabled">true</setting>\n  <setting name="period">endChunk</setting>\n'
            f'  <setting name="filter">{escape(";".join(classes))}</setting>\n </event>\n</configuration>\n')


def timing_options(kit):
    with open(kit.left("timing.jfc"), "w", encoding="utf-8") as file:
        file.write(timing_settings(kit.classes))
    return [f"-XX:StartFlightRecording:filename={kit.left('timing.jfr')},settings={kit.left('timing.jfc')}", "-Xlog:jfr*=off"]


def timed_calls(events):
    """Each chunk's events have the sums so far, so the last chunk's are those of the run."""
    last = max((event["values"]["startTime"] for event in events), default="")
    calls = collections.Counter()
    for values in (event["values"] for event in events):
        if values["startTime"] == last:
            method = values["method"]
            calls[method["type"]["name"].replace("/", ".") + "." + method["name"] + method["descriptor"]] += values["invocations"]
    return +calls


def timing_calls(kit):
    text, _ = measuring.run([os.path.join(kit.homes["25"], "bin/jfr"), "print", "--json", "--stack-depth", "0",
                             "--events", "jdk.MethodTiming", kit.left("timing.jfr")])
    return timed_calls(json.loads(text)["recording"]["events"])


# Copse runs first of all profilers: the others' calls are compared with its, and MethodTiming needs its classes.
ROWS = (
    Row(BARE, "nothing", "", lambda kit: []),
    Row(COPSE, "tree, counts", "yes", copse_options("measure=calls"), report_calls),
    Row("flat-racy", "flat counts", "no: threads race", flat_options("racy"), flat_calls, needs="asm"),
    Row("flat-exact", "flat counts", "yes", flat_options("exact"), flat_calls, needs="asm"),
    Row("copse-segment", "ids", "yes", copse_options("mode=ids,encoder=segment")),
    Row("copse-pcc", "ids, not decodable", "but for collisions", copse_options("mode=ids,encoder=pcc")),
    Row("copse-segment-cpu", "ids, cpu by context", "ids; cpu is sampled", copse_options(f"mode=ids,encoder=segment,{CPU}")),
    Row("jvmti-tree", "tree, counts", "yes", tree_options, lambda kit: calls_of_report(kit.left("tree.json")),
        needs="reference", is_bounded=True),
    Row("bare-25", "nothing", "", lambda kit: [], jdk="25"),
    Row("copse-25", "tree, counts", "yes", copse_options("measure=calls"), report_calls, jdk="25"),
    Row("method-timing-25", "flat counts, times", "but for calls that an exception leaves, and lambdas", timing_options, timing_calls, jdk="25",
        needs_classes=True),
)


def calls_left(name, kit):
    """By the run of the row of this name that has just ended."""
    return next(row for row in ROWS if row.name == name).calls(kit)


def bare_of(row):
    return f"{BARE}-{row.jdk}" if row.jdk else BARE


def has_asm():
    return all(os.path.exists(jar) for jar in ASM)


def install_asm():
    """Installs ASM unless it is there; returns True if it is there then."""
    if not has_asm():
        subprocess.run(["bash", "-c", f'. "$0" && apt_install {ASM_PACKAGE}',
                        os.path.join(measuring.ROOT, "scripts/lib.sh")], check=False)
    return has_asm()


def available(rows, has):
    """The rows that can run, and why the others cannot. `has`: need or JDK -> whether it is there."""
    why = {"asm": f"{ASM_PACKAGE} is missing and cannot be installed",
           "reference": "the reference agent is not built: scripts/build release libcopse_reference_agent.so",
           "25": "no JDK 25 on this machine"}
    skipped = {}
    for row in rows:
        missing = [need for need in (row.needs, row.jdk) if need and not has[need]]
        if missing:
            skipped[row.name] = why[missing[0]]
    return [row for row in rows if row.name not in skipped], skipped
