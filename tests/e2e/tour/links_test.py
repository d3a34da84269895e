#!/usr/bin/env python3
"""What documents link to is there, pictures too."""

import re
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from driver import REPOSITORY  # noqa: E402

LARGEST_PICTURE = 150_000  # bytes


def documents():
    found = [*REPOSITORY.glob("*.md")]
    for folder in ("docs", "reports", "examples", "src", "tests", "workloads"):
        found += [path for path in (REPOSITORY / folder).rglob("*.md")
                  if not {"out", "node_modules"} & set(path.relative_to(REPOSITORY).parts)]
    return sorted(found)


def links(document):
    """Where its links lead, without those to other sites and within the page."""
    text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", lambda code: "" if "](" in code[0] else code[0], text)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    return [target.split("#")[0] for target in targets if not re.match(r"[a-z]+:|#", target)]


class Links(unittest.TestCase):
    def test_lead_to_files(self):
        seen = 0
        for document in documents():
            for target in links(document):
                seen += 1
                with self.subTest(document=str(document.relative_to(REPOSITORY)), target=target):
                    self.assertTrue((document.parent / target).exists())
        self.assertGreater(seen, 10)

    def test_lead_from_readme_to_the_tour(self):
        self.assertIn("docs/tour.md", links(REPOSITORY / "README.md"))

    def test_every_picture_of_the_tour_is_shown_and_small(self):
        shown = {(REPOSITORY / "docs" / target).resolve() for target in links(REPOSITORY / "docs/tour.md")
                 if target.endswith(".png")}
        kept = {path.resolve() for path in (REPOSITORY / "docs/tour").iterdir()}
        self.assertTrue(kept)
        self.assertEqual(shown, kept)
        for path in kept:
            self.assertLess(path.stat().st_size, LARGEST_PICTURE)


driver.main()
