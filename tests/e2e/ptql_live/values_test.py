#!/usr/bin/env python3
"""Boxes and Strings that a program (Boxes.java) passes as objects: what compares them with a literal finds their values,
while the program runs, in its recording, and in a JVM that ran before. Results that callers ignore (Ignored.java)."""

from questions import M, O, QuestionTest, sole  # finds the modules beside its folder

import driver
import jvm
from driver import ARGS

# The values that any() gets; a char is a number, and null in `.value` is absent.
INSIDE = [True, 120, -3, -300, 5, 1 << 40, 1.5, -0.1, "NaN"]
# Literals, and the values among these that are equal to them.
EQUAL = {"true": [True], "120": [120], "-3": [-3], "-300.0": [-300], "5": [5], "5.0": [5], "1099511627776": [1 << 40],
         "1.5": [1.5], "-0.1": [-0.1], "0.1": [], "false": [], "6": [], "'5'": [], "'x'": []}
# Receivers of compareTo(), by class.
RECEIVERS = {"Boolean": ("true", True), "Character": ("113", 113), "Byte": ("-3", -3), "Short": ("-300", -300),
             "Integer": ("-12345", -12345), "Long": ("-123456789012", -123456789012), "Float": ("-1.25", -1.25),
             "Double": ("-1.125", -1.125)}


def of_keys(select, *predicates):
    """A query to two calls of keyed(), the second after the first."""
    return (f"SELECT {select} FROM {M} a, {M} b WHERE a.methodName = 'keyed' AND b.methodName = 'keyed' AND a.endTime < "
            "b.startTime" + "".join(" AND " + predicate for predicate in predicates))


QUESTIONS = {
    **{f"any = {literal}": (sole("any", ("param0.value", "result.value"), f"AND x.param0 = {literal}"),
                            [[value, value] for value in found]) for literal, found in EQUAL.items()},
    **{f"a result = {literal}": (sole("any", ("param0.value",), f"AND {literal} = x.result"),
                                 [[value] for value in found]) for literal, found in EQUAL.items()},
    **{f"a receiver of {name}": (sole("compareTo", ("receiver",), f"AND x.implementingClass = 'java.lang.{name}' AND "
                                      f"x.receiver = {literal}"), [[value]])
       for name, (literal, value) in RECEIVERS.items()},
    "all values": (sole("any", ("param0.value",)), [[value] for value in INSIDE] + [[None]]),
    "the values themselves": (sole("any", ("param0",), "AND x.param0 < 6 AND x.param0 > 1"), [[5], [1.5]]),
    "less": (sole("any", ("param0.value",), "AND x.param0 < -0.05"), [[-3], [-300], [-0.1]]),
    "at most": (sole("any", ("param0.value",), "AND 5 >= x.param0 AND x.param0 >= 1.5"), [[5], [1.5]]),
    "more": (sole("any", ("param0.value",), "AND 5 < x.param0"), [[120], [1 << 40]]),
    # A value that is no number is different from each number: 14 of 15 values.
    "not equal": (f"SELECT COUNT(*) FROM {M} x WHERE x.methodName = 'any' AND x.param0 != 5", [[14]]),
    "not true": (f"SELECT COUNT(*) FROM {M} x WHERE x.methodName = 'any' AND x.param0 != true", [[14]]),
    "null": (sole("any", ("result",), "AND x.param0 = null"), [[None]]),
    "sums": (sole("any", ("param0.value",), "AND x.param0 + x.result = 10"), [[5]]),
    "a String": (sole("any", ("param0.text",), "AND x.param0 = 'tea'"), [["tea"]]),
    "Strings by pattern": (sole("any", ("param0.text",), "AND x.param0 =~ 't.*'"), [["tea"]]),
    "Strings by glob": (sole("any", ("param0.text",), "AND x.param0 GLOB '*'"), [["tea"]]),
    "Strings in order": (sole("any", ("param0.text",), "AND x.param0 > 'sugar'"), [["tea"]]),
    "Number": (sole("number", ("param0.value",), "AND x.param0 = 0"), [[-0.0]]),
    "Comparable": (sole("comparable", ("param0",), "AND x.param0 = 121"), [[121]]),
    "Comparable String": (sole("comparable", ("param0",), "AND x.param0 = 'tee'"), [["tee"]]),
    "CharSequence": (sole("chars", ("param0",), "AND x.param0 = 'milk'"), [["milk"]]),
    "T": (sole("generic", ("param0.value",), "AND x.param0 = 5"), [[5]]),
    "T of String": (sole("generic", ("result",), "AND x.result =~ 'wat.*'"), [["water"]]),
    "T of a class": (sole("put", ("param0",), "AND x.param0 = 2.5 AND x.implementingClass = 'Boxes$Cell'"), [[2.5]]),
    "its result": (sole("get", ("result",), "AND x.result = 2.5 AND x.implementingClass = 'Boxes$Cell'"), [[2.5]]),
    "a bridge": (f"SELECT COUNT(*) FROM {M} x WHERE x.methodName = 'take' AND x.param0 = 77", [[2]]),
    "several": (sole("many", ("param0", "param1", "param2"), "AND x.param0 = 6 AND x.param1 = 7 AND x.param2 = 'eight'"),
                [[6, 7, "eight"]]),
    "before an exception": (sole("throwing", ("param0", "thrown.type"), "AND x.param0 = 9"),
                            [[9, "java.lang.IllegalStateException"]]),
    "results of two types": (sole("halved", ("param0", "result.value"), "AND x.result >= 4"), [[8, 4], [9, 4.5]]),
    "the receiver of a String": (sole("concat", ("result",), "AND x.implementingClass = 'java.lang.String' AND x.receiver "
                                      "= 'only ours'"), [["only ours!"]]),
    "its pattern": (sole("concat", ("param0",), "AND x.implementingClass = 'java.lang.String' AND x.receiver =~ 'only.*'"),
                    [["!"]]),
    # Two of the three are one object; all have one value, and a primitive is equal to each.
    "one object": (of_keys("COUNT(*)", "a.param0 = b.param0"), [[1]]),
    "one value": (of_keys("COUNT(*)", "a.param0.value = b.param0.value"), [[3]]),
    "in order": (of_keys("COUNT(*)", "a.param0 <= b.param0"), [[3]]),
    "of one value": (of_keys("COUNT(*)", "a.param0 = 1000", "a.param0 = b.param0"), [[1]]),
    "a primitive and boxes": (f"SELECT COUNT(*) FROM {M} p, {M} k WHERE p.methodName = 'primitive' AND k.methodName = "
                              "'keyed' AND p.param0 = k.param0", [[3]]),
    "a primitive and a value": (f"SELECT COUNT(*) FROM {M} p, {M} k WHERE p.methodName = 'primitive' AND k.methodName = "
                                "'keyed' AND k.param0.value = p.result", [[3]]),
    "groups": (f"SELECT x.param0.value, COUNT(*) FROM {M} x WHERE x.methodName = 'keyed' GROUP BY x.param0.value",
               [[1000, 3]]),
    "allocations": (f"SELECT k.param0.value FROM {O} o, {M} k WHERE k.methodName = 'keyed' AND k.param0 = o.receiver AND "
                    "o.dynamicType = 'java.lang.Integer'", [[1000]]),
}
# A recording of the program has no calls of the JDK's methods.
OF_JDK = {name for name, (query, _) in QUESTIONS.items() if "'java.lang." in query and "o.dynamicType" not in query}
# Questions to many rounds of the program, without counts and orders of one round.
IN_ROUNDS = {name: (query + f" LIMIT {len(answers)}", answers) for name, (query, answers) in QUESTIONS.items()
             if answers and "COUNT(*)" not in query and ".endTime <" not in query}


# Ignored results of Ignored, by argument. A variable that a handler may read counts as used: the slot of 14.
IGNORED = {"of all": (f"SELECT x.param0, x.result.ignored FROM {M} x WHERE x.implementingClass = 'Ignored' AND x.methodName =~ "
                "'object|number|wide|real|large|flag|generic|own' AND x.param0 < 200",
                [[n, n != 14] for n in range(1, 19)] + [[n, False] for n in range(100, 118)])}
CALLERS = {
    "of one": (sole("object", ("caller",), "AND x.param0 = 1"), [["Ignored.ignoring"]]),
    "of returned()": (sole("object", ("caller",), "AND x.param0 = 100"), [["Ignored.returned"]]),
    "of a lambda": (sole("object", ("param0",), "AND x.caller GLOB 'Ignored.lambda*'"), [[13], [113]]),
    "of the JDK": (sole("add", ("caller",), "AND x.implementingClass = 'java.util.ArrayList' AND x.parameters = 3"),
                   [["java.util.ArrayList.add"]]),
    # By reflection it is the JDK's code that calls, or none that can be named.
    "by reflection": (f"SELECT COUNT(*) FROM {M} x WHERE x.methodName = 'object' AND x.param0 = 200 AND x.result.ignored = true",
                      [[0]]),
    "of main": (sole("main", ("caller", "parameters"), "AND x.implementingClass = 'Ignored'"), [[None, 1]]),
    "by context": (f"SELECT x.param0 FROM {M} x WHERE x.caller = 'Ignored.returned' AND x.context GLOB '**returned;Ignored.object'",
                   [[100]]),
}


class Values(QuestionTest):
    def test_they_are_found_while_the_program_runs(self):
        for home in ARGS.homes:
            with self.subTest(home):
                java = driver.java_command("Boxes", home=home)
                alone = jvm.run(java)
                outcome = self.ask(*[query for query, _ in QUESTIONS.values()], "--", *java)
                self.assertEqual((outcome.status, outcome.stdout), (0, alone.stdout), outcome)
                self.check_answers(QUESTIONS)

    def test_they_are_found_in_a_recording(self):
        for home in ARGS.homes:
            with self.subTest(home):
                self.done("record", "--values", "Boxes**", "-o", "run.values", "--", *driver.java_command("Boxes", home=home))
                outcome = self.ask(*[query for query, _ in QUESTIONS.values()], "run.values")
                self.assertEqual(outcome.status, 0, outcome)
                self.check_answers(QUESTIONS, without=OF_JDK)

    def test_they_are_found_in_a_jvm_that_runs_already(self):
        for home in ARGS.homes:
            with self.subTest(home):
                process = self.start(driver.java_command("Boxes", "again", home=home), "begun")
                outcome = self.ask(*[query for query, _ in IN_ROUNDS.values()], "--attach", process.pid, "-d", "120s")
                self.assertEqual(outcome.status, 0, outcome)
                self.check_answers(IN_ROUNDS)
                self.assertEqual(process.communicate("enough\n")[0], "went well\n")


    def test_it_says_of_which_types_values_were_when_no_literal_fits(self):
        why = {sole("chars", ("param0",), "AND x.param0 = 5"):
               r"x\.param0 was a text 1 time, an object without a value \([^)]*\) 1 time; texts stand between quotes$",
               sole("number", ("param0",), "AND x.param0 = '7'"): r"x\.param0 was a number 1 time, an object without a value ",
               sole("halved", ("param0",), "AND x.result = true"): r"x\.result was a number 2 times$",
               sole("concat", ("param0",), "AND x.implementingClass = 'java.lang.String' AND x.receiver = 5"):
               r"x\.receiver was a text \d+ times?;"}
        java = driver.java_command("Boxes")
        live = self.ask(*why, "--", *java)
        self.done("record", "--values", "Boxes", "-o", "run.values", "--", *java)
        recorded = self.ask(*list(why)[:3], "run.values")
        for number, (query, reason) in enumerate(why.items(), 1):
            with self.subTest(query):
                said = rf"(?m)^copse: query {number}: .* held of no record: " + reason
                self.assertRegex(live.stderr, said)
                if number < 4:
                    self.assertRegex(recorded.stderr, said)
        outcome = self.ask(sole("any", ("param0",), "AND x.param0 = 12345"), "--", *java)
        self.assertNotIn("held of no record", outcome.stderr)

    def test_results_that_callers_ignore_and_who_they_are(self):
        questions = IGNORED | CALLERS
        for home in ARGS.homes:
            for frames in ("8", "1", "0"):
                with self.subTest(home, frames=frames):
                    java = driver.java_command("Ignored", home=home)
                    outcome = self.ask("--frames", frames, *[query for query, _ in questions.values()], "--", *java)
                    self.assertEqual((outcome.status, outcome.stdout), (0, jvm.run(java).stdout), outcome)
                    self.check_answers(questions)
            with self.subTest(home, frames="of a recording"):
                self.done("record", "--values", "Ignored", "-o", "run.values", "--", *driver.java_command("Ignored", home=home))
                self.assertEqual(self.ask(*[query for query, _ in questions.values()], "run.values").status, 0)
                self.check_answers(questions, without=("of the JDK",))


driver.main("copse", sources=["Boxes.java", "Ignored.java"], jdks=True)
