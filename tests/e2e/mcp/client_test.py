#!/usr/bin/env python3
"""copse mcp, used by the official TypeScript SDK's client over pipes: an N+1 query is found, mended, and proven gone."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS, REPOSITORY  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


def installed_modules(test):
    """The folder with the client's packages, exactly as locked; none of their scripts run."""
    folder = os.path.join(ARGS.work, "modules")
    if shutil.which("node") is None or shutil.which("npm") is None:
        test.lack("no node or npm on this machine")
    lock = os.path.join(folder, "package-lock.json")
    wanted = open(os.path.join(HERE, "package-lock.json"), encoding="utf-8").read()
    done = os.path.join(folder, "node_modules", ".package-lock.json")
    if os.path.exists(done) and open(lock, encoding="utf-8").read() == wanted:
        return folder
    os.makedirs(folder, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(HERE, name), folder)
    outcome = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
                             cwd=folder, capture_output=True, text=True)
    if outcome.returncode != 0:
        test.skipTest("npm cannot install the client: " + outcome.stderr.strip().splitlines()[0])
    return folder


class OfficialClient(driver.CommandLineTest):
    def test_finds_an_n_plus_one_query_and_proves_it_gone(self):
        modules = installed_modules(self)
        shop = REPOSITORY / "examples/gate"
        good = sorted(map(str, (shop / "before/shop").glob("*.java")))
        bad = [str(shop / "after/shop/OrderDao.java")] + [file for file in good if not file.endswith("OrderDao.java")]
        folders = [driver.compiled(good, "good"), driver.compiled(bad, "bad")]
        outcome = subprocess.run(["node", os.path.join(HERE, "official_client.mjs"), modules, ARGS.copse, str(self.folder),
                                  folders[1], folders[0]], capture_output=True, text=True, timeout=jvm.TIMEOUT_S)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        told = json.loads(outcome.stdout)
        self.assertEqual(told["server"]["name"], "copse")
        self.assertIn("profile", told["instructions"])
        self.assertEqual([tool["name"] for tool in told["tools"]],
                         ["profile", "attach", "summary", "hot_paths", "callers", "callees", "cost_of", "compare", "gate",
                          "query", "ask"])
        self.assertIn("copse://help/query", told["resources"])
        self.assertEqual(told["templates"], ["copse://report/{+file}", "copse://help/{command}"])
        answers = told["answers"]
        self.assertFalse([step for step, answer in answers.items() if answer["failed"]], answers)
        self.assertIn("613 calls seen = 613 in contexts + 0 lost", answers["profile"]["text"])
        self.assertRegex(answers["callers"]["text"], r"100 .*shop\.OrderDao\.findAll  @17")
        self.assertRegex(answers["compare"]["text"], r"-400 .*calls\n")
        self.assertRegex(answers["gate"]["text"], r"(?m)^holds .*: 1 in after\.json")
        self.assertEqual(answers["gate"]["status"], 0)
        self.assertIn("213 calls seen", told["summary"])
        self.assertIn("Usage: copse query", told["help"])
        self.assertTrue(told["given_up"])


driver.main("copse", jdks=True)
