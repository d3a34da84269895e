#!/usr/bin/env python3
"""Relational queries to running JVMs, and to recordings of their values: exact answers, known from what the program
(Facts.java) does. All questions are put to one run at a time."""

import json
import os
import signal
import time

from questions import M, O, QuestionTest, sole  # finds the modules beside its folder

import driver
import jvm
from driver import ARGS

STATE, ILLEGAL = "java.lang.IllegalStateException", "java.lang.IllegalArgumentException"
INIT = "AND x.implementingClass = 'Facts$%s'"
# Name -> query, and its answers, in any order.
QUESTIONS = {
    "recursion": (sole("factorial", ("param0", "result")), [[n, f] for n, f in enumerate((1, 1, 2, 6, 24, 120))]),
    "boolean": (sole("yes", ("param0", "result")), [[True, True]]),
    "byte": (sole("byteOf", ("param0", "result")), [[-3, -3]]),
    "char": (sole("charOf", ("param0", "result")), [[120, 120]]),
    "short": (sole("shortOf", ("param0", "result")), [[-300, -300]]),
    "long": (sole("longOf", ("param0", "result")), [[1 << 40, 1 << 40]]),
    "float": (sole("floatOf", ("param0", "result")), [[1.5, 1.5]]),
    "double": (sole("doubleOf", ("param0", "result")), [[-0.1, -0.1]]),
    "text": (sole("text", ("param0",), "AND x.param0 = 'Grüße 😀' AND x.param0 = x.result"), [["Grüße 😀"]]),
    "texts": (f"SELECT t.param0.text, w.param3.text FROM {M} t, {M} w WHERE t.methodName = 'text' AND w.methodName = "
              "'wide' AND t.param0.text = t.result.text AND t.param0.text < w.param3.text",
              [["Grüße 😀", "four"]]),
    "no text": (sole("nothing", ("param0.text", "param1.text")), [[None, None]]),
    "null": (sole("nothing", ("param1", "result")), [[None, None]]),
    "slots": (sole("wide", ("param0", "param1", "param2", "param3", "result")), [[7, 2.5, 3, "four", 10]]),
    "exceptions": (sole("failing", ("param0", "thrown.type")), [[n, STATE] for n in range(4)]),
    "caught": (sole("caught", ("result", "context")), [[3, "Facts.main;Facts.caught"]]),
    "nested context": (sole("failing", ("context",), "AND x.param0 = 1"),
                       [["Facts.main;Facts.caught" + 3 * ";Facts.failing"]]),
    # That the superclass's constructor threw is known, its exception is not.
    "constructors": (sole("<init>", ("param0", "thrown.type"), INIT % "Derived"),
                     [[1, None], [-1, None], [7, "java.lang.UnsupportedOperationException"],
                      [100, "java.lang.ArithmeticException"], [50, None]]),
    "constructed": (f"SELECT x.param0, y.param0 FROM {M} x, {M} y WHERE x.methodName = '<init>' AND y.methodName = "
                    "'<init>' AND x.implementingClass = 'Facts$Derived' AND y.implementingClass = 'Facts$Base' AND "
                    "x.receiver = y.receiver", [[1, 1], [7, 7], [50, 50]]),
    "super threw": (f"SELECT x.param0, y.param0 FROM {M} x, {M} y WHERE x.methodName = '<init>' AND y.methodName = "
                    "'<init>' AND x.implementingClass = 'Facts$Derived' AND y.implementingClass = 'Facts$Derived' AND "
                    "x.endTime < y.startTime AND x.param0 = -1", [[-1, 7], [-1, 100], [-1, 50]]),
    "this and super": (sole("<init>", ("context", "thrown.type"), INIT % "Chosen"),
                       [["Facts.main;Facts$Chosen.<init>", None],
                        ["Facts.main;Facts$Chosen.<init>;Facts$Chosen.<init>", None]]),
    "order of threads": (f"SELECT a.param0, b.param0 FROM {M} a, {M} b WHERE a.methodName = 'ping' AND b.methodName = "
                         "'pong' AND a.endTime < b.startTime", [[a, b] for b in range(10) for a in range(b + 1)]),
    "and back": (f"SELECT a.param0, b.param0 FROM {M} a, {M} b WHERE a.methodName = 'ping' AND b.methodName = "
                 "'pong' AND b.endTime < a.startTime", [[a, b] for a in range(10) for b in range(a)]),
    "a thread that dies": (sole("lastWords", ("thread.name", "thrown.type")), [["dying", STATE]]),
    "nested in a thread": (f"SELECT a.param0, b.result FROM {M} a, {M} b WHERE a.methodName = 'inner' AND b.methodName "
                           "= 'outer' AND a.thread = b.thread AND b.startTime < a.startTime AND a.endTime < b.endTime",
                           [[n, n + 1000] for n in range(40)]),
    "classes that go": (sole("work", ("param0", "result")), [[n, 2 * n] for n in (20, 21, 22)]),
    "dead objects": (f"SELECT t.param0 FROM {O} o, {M} t, {M} last WHERE t.methodName = 'touch' AND t.receiver = "
                     "o.receiver AND o.dynamicType = 'Facts$Mortal' AND last.methodName = 'afterwards' AND last.param0 "
                     "= 19 AND o.endTime < last.startTime", [[n] for n in range(50) if n % 5]),
    "who declares": (sole("area", ("implementingClass", "declaringClass")),
                     [["Facts$Square", "Facts$Shape"], ["Facts$LargeSquare", "Facts$Shape"]]),
    "by declaration": (f"SELECT x.methodName FROM {M} x WHERE x.declaringClass = 'java.lang.Object' AND "
                       "x.implementingClass = 'Facts$Square'", [["equals"], ["hashCode"]]),
    "equals and hashCode": (f"SELECT o.dynamicType, o.equalsClass, o.hashCodeClass FROM {O} o, {M} x WHERE x.receiver = "
                            "o.receiver AND x.methodName =~ 'area|wide'",
                            [["Facts$Square", "Facts$Square", "Facts$Square"],
                             ["Facts$LargeSquare", "Facts$Square", "Facts$Square"],
                             ["Facts", "java.lang.Object", "java.lang.Object"]]),
    "those of an array": (f"SELECT o.dynamicType, o.equalsClass, o.hashCodeClass FROM {O} o, {M} x WHERE x.param0 = "
                          "o.receiver AND x.methodName = 'nothing'",
                          [["int[]", "java.lang.Object", "java.lang.Object"]]),
    "of the JDK": (sole("push", ("param0", "context"), "AND x.implementingClass = 'java.util.ArrayDeque' AND x.param0 "
                        "= 'only ours'"), [["only ours", "Facts.main;java.util.ArrayDeque.push"]]),
    # Among them what the JVM needs when it makes the JDK's classes see the agent's.
    "all of the JDK": (sole("hashCode", ("methodName",), "AND x.implementingClass GLOB 'java.**' LIMIT 1"), [["hashCode"]]),
    "nothing": (sole("noSuchMethod", ("startTime",)), []),
    "counts": (f"SELECT x.methodName, COUNT(*) FROM {M} x WHERE x.methodName =~ 'ping|inner' GROUP BY x.methodName",
               [["ping", 10], ["inner", 40]]),
}


# Joins each step with all pairs before it, and so is behind in no time.
SLOW = (f"SELECT x.param0 FROM {M} x, {M} y, {M} z WHERE x.methodName = 'step' AND y.methodName = 'step' AND z.methodName "
        "= 'step' AND x.startTime < y.startTime AND y.startTime < z.startTime AND x.param0 + y.param0 > z.param0 + "
        "1000000000000")
CUT = r"(?m)^copse: answers were behind the program when it was to end: what it did since \d+\.\d{3} s was not looked at"


def processor_ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))


def wait_until_behind(pid):
    """Until the command of a slow query has joined for a second, which the program that sends to it has waited for."""
    before = processor_ticks(pid)
    while processor_ticks(pid) < before + 100:
        time.sleep(0.02)


class Live(QuestionTest):
    def test_answers_of_a_run_are_exact_and_the_program_does_not_notice(self):
        queries = [query for query, _ in QUESTIONS.values()]
        for home in ARGS.homes:
            with self.subTest(home):
                command = driver.java_command("Facts", home=home)
                alone = jvm.run(command)
                outcome = self.ask(*queries, "--", *command)
                self.assertEqual((outcome.status, outcome.stdout), (alone.status, alone.stdout), outcome)
                self.assertIn("went well", alone.stdout)
                self.check_answers(QUESTIONS)

    def test_answers_are_the_same_without_any_part_of_the_engine(self):
        queries = [query for query, _ in QUESTIONS.values()]
        for parts in ("static-filter", "dynamic-filter", "gates", "post-dominator,split",
                      "admission,retention,propagation,refutation,repetition", "index,join-order"):
            with self.subTest(parts):
                outcome = self.ask("--without", parts, *queries, "--", *driver.java_command("Facts"))
                self.assertEqual(outcome.status, 0, outcome)
                self.check_answers(QUESTIONS)

    def test_an_answer_has_the_name_of_its_thread_though_no_query_asks(self):
        queries = [QUESTIONS[name][0] for name in ("order of threads", "and back")]
        self.assertEqual(self.ask(*queries, "--", *driver.java_command("Facts")).status, 0)
        with open(self.path("answers"), encoding="utf-8") as file:
            named = {(answer["query"], answer["threadName"]) for answer in map(json.loads, file)}
        self.assertEqual(named, {("query 1", "pong player"), ("query 2", "main")})
        text = self.done("ptql", queries[1], "-o", "text", "--", *driver.java_command("Facts"))
        with open(self.path("text"), encoding="utf-8") as file:
            self.assertRegex(file.readline(), r"^at [\d]+, [\d.]+ s, thread \d+ 'main', in [^ ]*;Facts[.$][^ ]*: "
                                              r"a.param0 = 1, b.param0 = 0\n$", text)

    def test_answers_have_the_places_in_the_code_though_no_query_asks(self):
        query = (f"SELECT a.param0, b.param0 FROM {M} a, {M} b WHERE a.methodName = 'ping' AND b.methodName = 'inner' "
                 "AND a.endTime < b.startTime LIMIT 1")
        java = driver.java_command("Facts")
        self.assertEqual(self.ask(query, "--", *java).status, 0)
        with open(self.path("answers"), encoding="utf-8") as file:
            answer = json.loads(file.readline())
        self.assertEqual(set(answer["contexts"]), {"a", "b"})
        self.assertTrue(answer["contexts"]["a"].endswith(".ping"), answer)
        self.assertTrue(answer["contexts"]["b"].endswith(".inner"), answer)
        self.assertEqual(answer["context"], answer["contexts"]["b"])
        self.assertGreater(answer["pid"], 0)
        self.done("ptql", query, "-o", "text", "--", *java)
        with open(self.path("text"), encoding="utf-8") as file:
            line, second = file.read().splitlines()
        self.assertRegex(line, r", in [^ ]*\.inner: a.param0 = ")
        self.assertRegex(second, r"^  a in [^ ]*\.ping$")
        self.assertEqual(self.ask("--frames", "0", query, "--", *java).status, 0)
        with open(self.path("answers"), encoding="utf-8") as file:
            answer = json.loads(file.readline())
        self.assertEqual([key for key in answer if key.startswith("context")], [])

    def test_it_says_what_no_class_has_a_method_for(self):
        def said(query):
            outcome = self.ask(query, "--", *driver.java_command("Facts"))
            self.assertEqual(outcome.status, 0, outcome)
            return [line for line in outcome.stderr.splitlines() if "asks about" in line]

        said_of = "copse: no class that was loaded has a method that x asks about; "
        self.assertEqual(said(sole("area", ("methodName",), "AND x.implementingClass = 'Facts.Square'")),
                         [said_of + "is the class Facts$Square meant?"])
        self.assertEqual(said(sole("factorial", ("param7",), "AND x.implementingClass = 'Facts'")),
                         [said_of + "Facts.factorial has no param7"])
        self.assertEqual(said(sole("main", ("result",))), [said_of + "Facts.main is void, and has no result"])
        self.assertEqual(said(sole("main", ("receiver",))), [said_of + "Facts.main is static, and has no receiver"])
        self.assertEqual(said(sole("noSuchMethod", ("startTime",))),
                         [said_of + "classes of the JDK count where a predicate names a class"])
        self.assertEqual(said(f"SELECT o.dynamicType FROM {O} o WHERE o.dynamicType GLOB 'Facts$*'"), [])

    def test_a_query_that_contradicts_itself_says_so_while_the_program_runs(self):
        query = (f"SELECT a.param0 FROM {M} a, {M} b WHERE a.methodName = 'ping' AND b.methodName = 'inner' "
                 "AND a.endTime < b.startTime AND b.endTime < a.startTime")
        self.done("record", "--values", "Facts", "-o", "run.values", "--", *driver.java_command("Facts"))
        for events in (["--", *driver.java_command("Facts")], ["run.values"]):
            outcome = self.ask(query, *events)
            self.assertEqual(outcome.status, 0, outcome)
            self.assertRegex(outcome.stderr, r"\Acopse: query 1: .*a\.endTime < b\.startTime, b\.endTime < a\.startTime\n"
                                             r"copse: 0 .* 0 .*\n\Z")

    def test_contexts_that_were_cut_are_counted(self):
        query = "SELECT COUNT(*) FROM MethodInvocation x WHERE x.methodName = 'leaf' AND under(x.context, 'Deep.main')"
        outcome = self.ask(query, "--", *driver.java_command("Deep"))
        self.assertRegex(outcome.stderr, r"(?m)^copse: 2 contexts of more than 1,024 frames: the innermost are there")
        with open(self.path("answers"), encoding="utf-8") as file:
            self.assertEqual(json.loads(file.readline())["values"], {"COUNT(*)": 1})

    def test_a_recording_says_which_glob_matched_nothing(self):
        def recorded(glob):
            return self.copse("record", "--values", glob, "-o", "run.values", "--", *driver.java_command("Facts"))

        self.assertIn("--values 'Facts", recorded("Fatcs**").stderr)
        self.assertNotIn("matched nothing", recorded("Facts**").stderr)
        for glob, wrong in (("Facts[", " a ["), ("Facts.main()", " ()"), ("facts/Facts", " a /")):
            self.assert_one_line(recorded(glob), 2, "--values", glob, wrong, stdout="")

    def test_a_recording_gives_the_answers_of_the_run(self):
        self.done("record", "--values", "Facts**", "-o", "run.values", "--", *driver.java_command("Facts"))
        outcome = self.ask(*[query for query, _ in QUESTIONS.values()], "run.values")
        self.assertEqual(outcome.status, 0, outcome)
        self.check_answers(QUESTIONS, without=("of the JDK", "all of the JDK"))
        self.assertRegex(outcome.stderr, r"(?m)^copse: the recording has what Facts\*\* matches, but x of query 1, x of query "
                                         r"2, .* and [\d,]+ more ask for more, so that answers may be missing$")
        outcome = self.ask(sole("factorial", ("param7",), "AND x.implementingClass = 'Facts'"), "run.values")
        self.assertRegex(outcome.stderr, r"(?m)^copse: query 1: .* x .*Facts\.factorial .*param7$")
        outcome = self.ask(sole("factorial", ("param0",), "AND x.implementingClass = 'Facts'"), "run.values")
        self.assertRegex(outcome.stderr, r"\Acopse: 6 answers from [\d,]+ events\n\Z")

    def test_what_a_killed_program_did_can_be_asked_up_to_its_last_block(self):
        command = driver.java_command("Steps", "1000000000")
        process = self.start([ARGS.copse, "record", "--values", "Steps", "-o", "killed.values", "--", *command], "begun")
        while os.path.getsize(self.path("killed.values")) < 10_000:
            time.sleep(0.01)
        os.kill(jvm.child_of(process.pid), signal.SIGKILL)
        process.communicate()
        outcome = self.ask(sole("step", ("param0",)), "killed.values")
        # The signal may come while a block is written, which then lacks its end.
        if outcome.status == 0:
            self.assertIn("was killed", outcome.stderr)
        else:
            self.assertEqual(outcome.status, 1, outcome)
            self.assertRegex(outcome.stderr, r"(?m)^copse: killed\.values: at byte \d+: the file ends inside a block$")
        with open(self.path("answers"), encoding="utf-8") as file:
            steps = [json.loads(line)["values"]["x.param0"] for line in file]
        self.assertGreater(len(steps), 10)
        self.assertEqual(steps, list(range(len(steps))))

    def test_the_first_answer_can_end_the_program(self):
        outcome = self.ask("--stop", sole("step", ("param0",), "AND x.param0 = 500"), "--",
                           *driver.java_command("Steps", "1000000000"))
        self.assertEqual(outcome.status, 128 + signal.SIGTERM, outcome)
        with open(self.path("answers"), encoding="utf-8") as file:
            self.assertEqual([json.loads(line)["values"] for line in file], [{"x.param0": 500}])

    def test_events_of_a_query_that_is_answered_are_not_sent_any_more(self):
        # A time is the number of an event among those that came.
        steps = 3_000_000
        outcome = self.ask(sole("step", ("param0",), "LIMIT 1"), sole("last", ("startTime",)), "--",
                           *driver.java_command("Steps", str(steps)))
        self.assertEqual(outcome.status, 0, outcome)
        with open(self.path("answers"), encoding="utf-8") as file:
            first, last = [json.loads(line)["values"] for line in file]
        self.assertEqual(first, {"x.param0": 0})
        self.assertLess(last["x.startTime"], steps, "of two events a step")

    def test_an_interrupt_ends_a_program_whose_answers_are_far_behind(self):
        process = self.start([ARGS.copse, "ptql", "-o", "answers", SLOW, "--",
                              *driver.java_command("Steps", "1000000000")], "begun")
        wait_until_behind(process.pid)
        used_before = processor_ticks(process.pid)
        ended_before = os.times().children_user
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=jvm.TIMEOUT_S)
        self.assertEqual(process.returncode, 128 + signal.SIGINT, errors)
        self.assertRegex(errors, CUT)
        self.assert_soon(os.times().children_user - ended_before - used_before / 100)

    def assert_soon(self, used_s):
        """Answers went on for seconds of processor time, not for all of a queue that takes hours."""
        self.assertLess(used_s, 20)

    def test_a_wish_for_stacks_ends_nothing(self):
        process = self.start([ARGS.copse, "ptql", "-o", "answers", SLOW, "--", *driver.java_command("Steps", "900")],
                             "begun")
        wait_until_behind(process.pid)
        os.killpg(process.pid, signal.SIGQUIT)
        _, errors = process.communicate(timeout=jvm.TIMEOUT_S)
        self.assertEqual(process.returncode, 0, errors)
        self.assertNotRegex(errors, CUT)
        self.assertIn("copse: 0 answers from 1,800 events", errors.splitlines())

    def test_a_jvm_is_left_in_time_though_answers_are_far_behind(self):
        process = self.start(driver.java_command("Steps", "1000000000", "wait"), "begun")
        process.stdin.write("go on\n")
        process.stdin.flush()
        ended_before = os.times().children_user
        outcome = self.ask(SLOW, "--attach", process.pid, "-d", "1s")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertRegex(outcome.stderr, CUT)
        self.assert_soon(os.times().children_user - ended_before)
        self.assertIsNone(process.poll(), "the program goes on")
        process.terminate()

    def test_the_program_goes_on_when_nobody_listens_any_more(self):
        process = self.start([ARGS.copse, "ptql", "-o", "answers", sole("step", ("param0",)), "--",
                              *driver.java_command("Steps", "3000", "wait")], "begun")
        child = jvm.child_of(process.pid)
        process.kill()
        process.stdin.write("go on\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "3000 steps\n")
        while os.path.exists(f"/proc/{child}/fd"):
            time.sleep(0.01)

    def test_a_running_jvm_is_asked_for_a_time_and_then_left_alone_twice(self):
        process = self.start(driver.java_command("Steps", "5000000", "wait"), "begun")
        process.stdin.write("go on\n")
        process.stdin.flush()
        for _ in range(2):
            outcome = self.ask(sole("step", ("param0", "result")), "--attach", process.pid, "-d", "300ms")
            self.assertEqual(outcome.status, 0, outcome)
            with open(self.path("answers"), encoding="utf-8") as file:
                steps = [json.loads(line)["values"] for line in file]
            self.assertGreater(len(steps), 10, outcome)
            # The one that runs when the command leaves has no result.
            ended = [step for step in steps if "x.result" in step]
            self.assertLessEqual(len(steps) - len(ended), 1, outcome)
            self.assertTrue(all(step["x.result"] == step["x.param0"] + 1 for step in ended))
        # All answers are there before the time is over, which the test would not wait for.
        outcome = self.ask(sole("step", ("param0",), "LIMIT 3"), "--attach", process.pid, "-d", "1h")
        self.assertEqual(outcome.status, 0, outcome)
        process.terminate()


driver.main("copse", sources=["Deep.java", "Facts.java", "Steps.java"])
