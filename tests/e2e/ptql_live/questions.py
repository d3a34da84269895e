"""Relational queries to running JVMs, with the answers that are known: what the drivers of this folder share."""

import json
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from tally import checked  # noqa: E402

M, O = "MethodInvocation", "ObjectAllocation"


def sole(method, fields, more=""):
    """Fields of the invocations of a method."""
    selected = ", ".join("x." + field for field in fields)
    return f"SELECT {selected} FROM {M} x WHERE x.methodName = '{method}' {more}"


def plain(value):
    """A text, of an object as of a string, and what is in a box; of another object only that it is there."""
    return value.get("text", value.get("value", "object")) if isinstance(value, dict) else value


def answers_in(path, questions):
    """Name of a question -> its answers, sorted."""
    found = {name: [] for name in questions}
    names = list(questions)
    with open(path, encoding="utf-8") as file:
        for line in file:
            answer = json.loads(line)
            name = names[int(answer["query"].split()[1]) - 1]
            fields = [part.strip() for part in questions[name][0].split(" FROM ")[0][len("SELECT "):].split(",")]
            found[name].append([plain(answer["values"].get(field)) for field in fields])
    return {name: sorted(rows, key=repr) for name, rows in found.items()}


class QuestionTest(driver.CommandLineTest):
    def ask(self, *words, **more):
        return self.copse("ptql", "--format", "json", "-o", "answers", *words, **more)

    def check_answers(self, questions, without=()):
        """`questions`: name -> query, and its answers, in any order; all of them were asked."""
        found = answers_in(self.path("answers"), questions)
        for name, (_, expected) in questions.items():
            with self.subTest(name):
                self.assertEqual(found[name], [] if name in without else sorted(expected, key=repr))
                checked(len(found[name]), "PTQL answers about running programs and recordings")
