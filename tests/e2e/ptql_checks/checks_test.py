#!/usr/bin/env python3
"""The library of checks on running JVMs: each finds its fault in Faulty, and nothing in Right, which does the same
without faults. All checks are asked at once."""

import json
import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# What the programs have instead of servlets and databases.
DEFINED = ["--define", "request=(Faulty|Right)[$]Servlet", "--define", "query=(Faulty|Right)[$]Statement"]
# How long is late. On a busy machine Right is late, too, though never as late as that.
IDLE_MS = {"Faulty": 50, "Right": 20_000}
LOCK = "java.util.concurrent.locks.ReentrantLock$Sync.lock"
LOCKED = "Faulty.lambda$lockOrder${};Faulty.bothLocked;" + LOCK
HELD = "Faulty.lambda$monitorOrder${};Faulty.bothHeld"
# Of each check, what each of its answers has.
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


class Checks(driver.CommandLineTest):
    def found(self, program, home):
        """The answers of all checks to a run of the program, by check; its output is what it is without them."""
        java = driver.java_command(program, os.path.join(ARGS.classes, program + ".class"), home=home)
        alone = jvm.run(java)
        outcome = self.done("ptql", "--checks", *DEFINED, "--define", f"idle_ms={IDLE_MS[program]}", "--format", "json", "-o", "answers.json", "--", *java)
        self.assertEqual((outcome.stdout, alone.status), (alone.stdout, 0))
        findings = {}
        for line in (self.folder / "answers.json").read_text().splitlines():
            answer = json.loads(line)
            findings.setdefault(answer["query"], []).append(answer["values"])
        return findings

    def test_each_finds_its_fault(self):
        for home in ARGS.homes:
            with self.subTest(home):
                findings = self.found("Faulty", home)
                self.assertEqual(sorted(findings), sorted(FINDINGS), findings)
                for check, expected in FINDINGS.items():
                    self.assertEqual(len(findings[check]), len(expected), findings[check])
                    # Objects die in any order.
                    found = sorted(findings[check], key=lambda answer: answer.get("s.dynamicType", ""))
                    for answer, wanted in zip(found, expected):
                        self.assertEqual({key: answer.get(key) for key in wanted}, wanted, check)

    def test_they_are_quiet_about_what_is_right(self):
        for home in ARGS.homes:
            with self.subTest(home):
                self.assertEqual(self.found("Right", home), {})

    def test_the_faults_are_those_of_the_whole_library(self):
        listed = [line.split()[0] for line in self.done("ptql", "--list-checks").stdout.splitlines()]
        self.assertEqual(listed, sorted(FINDINGS))


driver.main("copse", sources=["Faulty.java", "Right.java"], jdks=True)
