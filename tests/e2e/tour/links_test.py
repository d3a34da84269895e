#!/usr/bin/env python3
"""The README leads to the tour, the tour to its pictures. scripts/check_prose checks all links."""

import re
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from driver import REPOSITORY  # noqa: E402

LARGEST_PICTURE = 150_000  # bytes


def links(document):
    """Where its links lead, without those to other sites and within the page."""
    text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", lambda code: "" if "](" in code[0] else code[0], text)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    return [target.split("#")[0] for target in targets if not re.match(r"[a-z]+:|#", target)]


class Links(unittest.TestCase):
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
