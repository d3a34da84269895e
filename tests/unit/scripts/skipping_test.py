"""A test that lacks something is skipped, and fails in continuous integration."""

import os
import pathlib
import subprocess
import sys
import unittest

E2E = pathlib.Path(__file__).resolve().parents[2] / "e2e"
LACKING_TEST = "import driver; driver.CommandLineTest('id').lack('a browser')"


class Skipping(unittest.TestCase):
    def ended(self, *command, **environment):
        without = {name: value for name, value in os.environ.items() if name != "CI"}
        done = subprocess.run(command, env=without | environment, cwd=E2E, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_of_a_driver_is_a_status_of_its_own_but_in_continuous_integration(self):
        skip = (sys.executable, "-c", "import jvm; jvm.skip('no JDK')")
        self.assertEqual(self.ended(*skip), (77, "skipped: no JDK\n"))
        self.assertEqual(self.ended(*skip, CI="true"), (1, "skipped: no JDK\n"))

    def test_of_one_test_is_an_exception_of_its_own_but_in_continuous_integration(self):
        self.assertIn("SkipTest: a browser", self.ended(sys.executable, "-c", LACKING_TEST)[1])
        self.assertIn("AssertionError: ", self.ended(sys.executable, "-c", LACKING_TEST, CI="true")[1])

    def test_without_a_browser_is_said_but_in_continuous_integration(self):
        viewer = ("cmake", "-P", str(E2E / "viewer/run_viewer_test.cmake"))
        status, said = self.ended(*viewer)
        self.assertEqual(status, 0)
        self.assertIn("SKIPPED: ", said)
        status, said = self.ended(*viewer, CI="true")
        self.assertNotEqual(status, 0)
        self.assertNotIn("SKIPPED: ", said)


if __name__ == "__main__":
    unittest.main()
