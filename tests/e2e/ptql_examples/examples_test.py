#!/usr/bin/env python3
"""The examples of docs/ptql.md have the answers that stand below them, of one run of Shop.java."""

import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from driver import REPOSITORY  # noqa: E402

EXAMPLE = re.compile(r"\*\*(\d+)\. [^\n]*\*\*\n+```sql\n(.*?)```\n+```\n(.*?)```", re.DOTALL)


class Examples(driver.CommandLineTest):
    def test_have_the_answers_of_the_page(self):
        examples = EXAMPLE.findall((REPOSITORY / "docs" / "ptql.md").read_text())
        self.assertEqual([number for number, _, _ in examples], [str(number) for number in range(1, 12)])
        words = [query for _, query, _ in examples]
        self.done("ptql", *words, "-o", "answers.txt", "--", *driver.java_command("Shop"))
        answers = {number: [] for number, _, _ in examples}
        for line in (self.folder / "answers.txt").read_text().splitlines():
            if line.startswith("  "):  # the context of a further identifier
                continue
            number, answer = re.fullmatch(r"query (\d+): at \d+, [\d.]+ s[^:]*: (.*)", line).groups()
            answers[number].append(answer)
        for number, _, expected in examples:
            self.assertEqual(sorted(answers[number]), sorted(expected.splitlines()), f"example {number}")


driver.main("copse", sources=["Shop.java"])
