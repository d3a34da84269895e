#!/usr/bin/env python3
"""The library of checks on running JVMs: each finds its fault in Faulty, and nothing in Right, which does the same
without faults. FaultyForms and Forms have faults, and none, in methods that call those of their superclasses, that
delegate or are overloaded. All checks are asked at once."""

import json
import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# Stand-ins of the programs for servlets and databases.
DEFINED = ["--define", "request=(Faulty|Right|Forms)[$]Servlet", "--define", "query=(Faulty|Right|Forms)[$]Statement"]
# How long is late. On a busy machine Right is late, too, though never as late as its test may take.
IDLE_MS = {"Faulty": 900}
PATIENT_MS = 600_000
SORTED_BY = ("s.dynamicType", "x.dynamicType")
LOCK = "java.util.concurrent.locks.ReentrantLock$Sync.lock"
LOCKED = "Faulty.lambda$lockOrder${};Faulty.bothLocked;" + LOCK
HELD = "Faulty.lambda$monitorOrder${};Faulty.bothHeld"
# Answers of each check, by the fields that they must have.
FINDINGS = {
    "changed-while-iterated": [{"create.implementingClass": "java.util.ArrayList", "change.methodName": "remove",
                                "use.methodName": "hasNext"}],
    "compare-to-antisymmetric": [{"a.implementingClass": "Faulty$Distance"}],
    "compare-to-reflexive": [{"c.implementingClass": "Faulty$Version", "c.result": 1}],
    "compare-to-transitive": [{"xy.implementingClass": "Faulty$Hand"}] * 3,
    "computed-twice": [{"p2.context": "Faulty.lambda$computedTwice$5;java.util.concurrent.ConcurrentHashMap.put"}],
    "delayed-close": [{"rw.implementingClass": "java.io.FileInputStream"}],
    "different-objects-equal-hash-codes": [{"eq.implementingClass": "Faulty$Name", "xh.result": 300, "yh.result": 300}],
    "equal-objects-different-hash-codes": [{"eq.implementingClass": "Faulty$Name", "xh.result": 301, "yh.result": 300}],
    "equals-without-hash-code": [{"o.dynamicType": "Faulty$Point", "o.equalsClass": "Faulty$Point"}],
    "hash-code-consistent": [{"first.implementingClass": "Faulty$Item", "first.result": 0, "second.result": 5}],
    "initialised-twice": [{"b.implementingClass": "Faulty$Pool", "b.methodName": "init"}],
    "listener-kept": [{"a.context": "Faulty.main;Faulty.listenerKept;Faulty.open;Faulty$Model.addListener",
                       "b.context": "Faulty.main;Faulty.listenerKept;Faulty.select;Faulty$Model.addListener"},
                      {"add.context": "Faulty.main;Faulty.listenerKept;Faulty$Model.addListener", "COUNT(*)": 3}],
    "lock-order": [{"b1.context": LOCKED.format(0), "a2.context": LOCKED.format(1)},
                   {"b1.context": HELD.format(6), "a2.context": HELD.format(7)},
                   {"b1.context": "Faulty.lambda$monitorOrder$8;Faulty.heldThenLocked;" + LOCK,
                    "a2.context": "Faulty.lambda$monitorOrder$9;Faulty.lockedThenHeld"}],
    "n-plus-one": [{"q.context": "Faulty.main;Faulty.nPlusOne;Faulty$Cart.service;Faulty$Price.executeQuery",
                    "COUNT(*)": 12}],
    "never-closed": [{"s.dynamicType": type_name, "s.context": "Faulty.main;Faulty.neverClosed"}
                     for type_name in ("java.io.FileInputStream", "java.io.RandomAccessFile", "sun.nio.ch.FileChannelImpl")],
    "resurrected": [{"use.context": "Faulty.main;Faulty.resurrected;Faulty$Zombie.getAge"},
                    {"stored.context": "Faulty$Ghost.finalize;java.util.ArrayList.add"}],
    "shared-date-format": [{"b.context": "Faulty.lambda$sharedDateFormat$2;java.text.SimpleDateFormat.format"}],
    "string-concats": [{}],
    "unused-value": [{"p.context": "Faulty.main;Faulty.unusedValue;java.math.BigDecimal.add", "COUNT(*)": 2}],
    "wait-without-loop": [{"asked.implementingClass": "Faulty$Queue", "asked.methodName": "isEmpty"},
                          {"asked.implementingClass": "Faulty$Bell", "asked.methodName": "isSilent"}],
}


DISTANCES = ["FaultyForms$Distance", "FaultyForms$LongDistance"]
# The same for FaultyForms.
IN_FORMS = {
    "compare-to-antisymmetric": [{"a.implementingClass": "FaultyForms$Distance", "x.dynamicType": of} for of in DISTANCES],
    "compare-to-reflexive": [{"c.implementingClass": "FaultyForms$Moody", "c.result": 1}],
    "compare-to-transitive": [{"xy.implementingClass": "FaultyForms$Hand"}] * 3,
    "different-objects-equal-hash-codes": [{"eq.implementingClass": "FaultyForms$Sized", "xh.result": 8, "yh.result": 8}],
    "equal-objects-different-hash-codes": [{"eq.implementingClass": "FaultyForms$Thing", "xh.result": 314, "yh.result": 315}],
    "hash-code-consistent": [{"first.implementingClass": "FaultyForms$Counter", "first.result": 280, "second.result": 311}],
    "initialised-twice": [{"b.implementingClass": "FaultyForms$LargePool", "b.methodName": "init"}],
    "listener-kept": [{"a.implementingClass": of} for of in ("FaultyForms$LoudModel", "FaultyForms$Model", "FaultyForms$Model")],
    "unused-value": [{"p.context": "FaultyForms.main;FaultyForms.unused;java.math.BigDecimal.add", "COUNT(*)": 3}],
}


# Ways to compile Concats, then its methods that build strings by builders: in every way, and where "+" is a builder.
CONCATS = {"release-8": ["--release", "8", "-Xlint:-options"], "inline": ["-XDstringConcat=inline"], "invokedynamic": []}
ALWAYS_BUILDERS = {"statements", "copied", "buffered", "object"}
PLUSES = {"plus", "before", "assigned"}


class Checks(driver.CommandLineTest):
    def found(self, program, home):
        """The answers of all checks to a run of the program, by check; its output is what it is without them."""
        java = driver.java_command(program, os.path.join(ARGS.classes, program + ".class"), home=home)
        alone = jvm.run(java)
        outcome = self.done("ptql", "--checks", *DEFINED, "--define", f"idle_ms={IDLE_MS.get(program, PATIENT_MS)}", "--format", "json", "-o", "answers.json", "--", *java)
        self.assertEqual((outcome.stdout, alone.status), (alone.stdout, 0))
        findings = {}
        for line in (self.folder / "answers.json").read_text().splitlines():
            answer = json.loads(line)
            findings.setdefault(answer["query"], []).append(answer["values"])
        return findings

    def check_findings(self, findings, all_expected):
        self.assertEqual(sorted(findings), sorted(all_expected), findings)
        for check, expected in all_expected.items():
            self.assertEqual(len(findings[check]), len(expected), findings[check])
            # Objects die in any order.
            found = sorted(findings[check], key=lambda answer: [answer.get(key, "") for key in SORTED_BY])
            for answer, wanted in zip(found, expected):
                self.assertEqual({key: answer.get(key) for key in wanted}, wanted, check)

    def test_each_finds_its_fault(self):
        for home in ARGS.homes:
            with self.subTest(home):
                self.check_findings(self.found("Faulty", home), FINDINGS)

    def test_each_finds_its_fault_in_methods_that_call_their_superclasses(self):
        for home in ARGS.homes:
            with self.subTest(home):
                self.check_findings(self.found("FaultyForms", home), IN_FORMS)

    def test_they_are_quiet_about_what_is_right(self):
        for home in ARGS.homes:
            for program in ("Right", "Forms"):
                with self.subTest(home, program=program):
                    self.assertEqual(self.found(program, home), {})

    def test_strings_are_built_piece_by_piece_in_every_way_that_makes_builders(self):
        for javac in ARGS.homes:
            for name, options in CONCATS.items():
                if name == "release-8" and javac != ARGS.homes[0]:
                    continue  # the same code by every compiler
                classes = driver.compiled(["Concats.java"], f"{name}-{os.path.basename(javac)}", javac, options)
                for home in ARGS.homes if name == "release-8" else [javac]:
                    with self.subTest(name, javac=javac, home=home):
                        self.check_concats(driver.java_command("Concats", home=home, classes=classes) + ["6"],
                                           ALWAYS_BUILDERS | (set() if name == "invokedynamic" else PLUSES))
                        self.check_concats(driver.java_command("Concats", home=home, classes=classes) + ["4"], set())

    def check_concats(self, java, expected):
        """The first words of the strings that answers have, without what is a part of another one."""
        outcome = self.done("ptql", "--check", "string-concats", "--format", "json", "-o", "answers.json", "--", *java)
        self.assertEqual(outcome.stdout, jvm.run(java).stdout)
        texts = [json.loads(line)["values"]["c5.param0"]["text"] for line in (self.folder / "answers.json").read_text().splitlines()]
        self.assertEqual({re.search("[a-z]+", text)[0] for text in texts}, expected, texts)

    def test_the_faults_are_those_of_the_whole_library(self):
        listed = [line.split()[0] for line in self.done("ptql", "--list-checks").stdout.splitlines()]
        self.assertEqual(listed, sorted(FINDINGS))


driver.main("copse", sources=["Faulty.java", "Right.java", "FaultyForms.java", "Forms.java", "ThreadForms.java"], jdks=True)
