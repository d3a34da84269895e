#!/usr/bin/env python3
"""Copse beside agents that change the same classes: left and right of ours on the command line, at load
time and while the program runs. The program's calls stay exact and neither of us notices the other."""

import functools
import glob
import os
import unittest
import zipfile

import beside  # finds the modules beside its folder
import driver
import jvm
from beside import BesideTest, compiled, per_jdk, program
from driver import ARGS, HERE

ASM = "/usr/share/java/asm.jar"
JACOCO = "/usr/share/java/org.jacoco.agent.jar"
ENGINES = ("engine=inline", "engine=parallel", "engine=uptree", "mode=ids,encoder=segment,mark=**", "jdk,engine=inline")


@functools.lru_cache(None)
def programs():
    return compiled([program("Mixed"), program("Flights")], "programs")


def mixed():
    return ["-cp", programs(), "Mixed"]


@functools.lru_cache(None)
def agent_classes():
    return compiled(glob.glob(os.path.join(HERE, "agents", "*.java")), "agents", ["-cp", ASM])


@functools.lru_cache(None)
def agent_jar(name):
    classes = agent_classes()
    jar = os.path.join(ARGS.work, name + ".jar")
    with zipfile.ZipFile(jar, "w") as out:
        out.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\nPremain-Class: {name}\nCan-Retransform-Classes: true\n"
                                             f"Can-Redefine-Classes: true\nClass-Path: file://{ASM}\n")
        for file in os.listdir(classes):
            out.write(os.path.join(classes, file), file)
    return jar


def orders(option, home):
    """(what, options left of ours, options right of ours, our engine)"""
    if ARGS.all:
        for engine in ENGINES:
            yield f"it first, {engine}", [option], [], engine
            yield f"ours first, {engine}", [], [option], engine
        return
    if home == beside.homes()[0]:
        yield "it first", [option], [], "engine=inline"
        yield "ours first", [], [option], "engine=parallel"
    else:
        yield "it first, with --jdk", [option], [], "jdk,engine=inline"


def not_of(prefix, *reports):
    """The methods that are not the program's, among them those that JaCoCo and JFR add to its classes."""
    return {f"{c}.{m}" for report in reports for c, m in zip(report["methods"]["class"], report["methods"]["name"])
            if not c.startswith(prefix) or m == "$jacocoInit" or c == "Flights$Flight"}


class Agents(BesideTest):
    oracles = {}  # by JDK

    def check(self, home, option, look=lambda run: None, main_options=()):
        main = [*main_options, *mixed()]
        if home not in self.oracles:
            self.oracles[home] = self.oracle(home, mixed()).report
        bare = self.bare(home, main, [option])
        for what, before, after, engine in orders(option, home):
            with self.subTest(order=what):
                run = self.with_agent(home, main, engine, before, after)
                self.assert_same_behaviour(run, bare)
                report = run.report
                self.assert_same_tree(self.oracles[home], report, not_of("Mixed", report), sites=False)
                look(run)

    @unittest.skipUnless(os.path.exists(ASM), f"{ASM} is not installed")
    @per_jdk
    def test_an_agent_that_counts_entries_gives_our_counts(self, home):
        counts = self.path_of(home, "counts.txt")

        def look(run):
            with open(counts, encoding="utf-8") as file:
                theirs = {name: int(count) for name, count in (line.rstrip("\n").split("\t") for line in file)}
            self.assertEqual({name: count for name, count in theirs.items() if count},
                             {name: count for name, count in self.calls_by_method(run.report).items()
                              if name.startswith("Mixed")})
            os.remove(counts)

        self.check(home, f"-javaagent:{agent_jar('CountingAgent')}=Mixed:{counts}", look)

    @unittest.skipUnless(os.path.exists(ASM), f"{ASM} is not installed")
    @per_jdk
    def test_an_agent_that_retransforms_and_redefines_all_the_time_costs_no_call(self, home):
        pace = "-Dbeside.pace=" + ("60" if ARGS.all else "4")
        self.check(home, f"-javaagent:{agent_jar('ChangingAgent')}=Mixed", main_options=[pace])

    @unittest.skipUnless(os.path.exists(JACOCO), f"{JACOCO} is not installed")
    @per_jdk
    def test_jacoco_covers_what_it_covers_without_us(self, home):
        if home != beside.homes()[0] and not ARGS.all:
            return
        agent = os.path.join(ARGS.work, "jacocoagent.jar")
        with zipfile.ZipFile(JACOCO) as jar, open(agent, "wb") as file:
            file.write(jar.read("jacocoagent.jar"))
        core = JACOCO.replace(".agent", ".core")
        reader = compiled([os.path.join(HERE, "CoverageOf.java")], "coverage", ["-cp", core])

        def coverage(file):
            printed = jvm.run([driver.tool("java"), *beside.SHORT_LIVED, "-cp", f"{reader}:{core}:{ASM}", "CoverageOf", file])
            self.assertEqual(printed.status, 0, printed.stderr)
            os.remove(file)
            return printed.stdout

        file = self.path_of(home, "jacoco.exec")
        option = f"-javaagent:{agent}=destfile={file},includes=Mixed*"
        self.bare(home, mixed(), [option])
        covered = coverage(file)
        self.assertIn("Mixed$Circle", covered)
        self.check(home, option, lambda run: self.assertEqual(coverage(file), covered))

    @per_jdk
    def test_the_flight_recorder_gets_every_event(self, home):
        main = ["-cp", programs(), "Flights"]
        file = self.path_of(home, "flight.jfr")
        option = f"-XX:StartFlightRecording:filename={file},settings=profile"
        bare = self.bare(home, main, [option])
        os.remove(file)
        run = self.with_agent(home, main, "", [option])
        self.assertEqual((run.status, run.stderr), (0, bare.stderr))
        self.assertEqual(run.stdout.splitlines()[-1], bare.stdout.splitlines()[-1])
        oracle, report = self.oracle(home, main).report, run.report
        self.assert_same_tree(oracle, report, not_of("Flights", oracle, report))
        printed = jvm.run([driver.tool("jfr", home), f"-J{beside.SHORT_LIVED[0]}", "print", "--events", "beside.Flight", file])
        self.assertEqual(printed.stdout.count("beside.Flight {"), 1000, printed.stderr)


beside.main(all="every engine in both orders on every JDK, and more changes")
