#!/usr/bin/env python3
"""Queries (data/*.ptql), the texts of events they are asked of (data/*.events), and what a person has read as the
answers (data/*.expected). The same of the library of checks (checks/NAME.events): each text has the fault, and beside
it what is right.

    run.py --copse CLI [--update]     --update accepts what comes out; then read the difference"""

import argparse
import difflib
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def asked(copse, events, options):
    """What the command prints and says, and how it ends."""
    outcome = subprocess.run([copse, "ptql", *options, events.name], cwd=events.parent, stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, check=False)
    said = [f"# {line}" for line in outcome.stderr.splitlines()]
    return outcome.stdout.splitlines() + said + [f"# exit status {outcome.returncode}"]


def all_cases(copse):
    """The texts of events, and how each is asked."""
    cases = [(query.with_suffix(".events"), ["--file", query.name]) for query in sorted((FOLDER / "data").glob("*.ptql"))]
    listed = subprocess.run([copse, "ptql", "--list-checks"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            check=True)
    checks = [line.split()[0] for line in listed.stdout.splitlines()]
    return cases + [(FOLDER / "checks" / f"{check}.events", ["--check", check]) for check in checks]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copse", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    copse = args.copse.resolve()
    cases = all_cases(copse)
    failed = not cases
    for events, options in cases:
        actual = asked(copse, events, options)
        golden = events.with_suffix(".expected")
        if args.update:
            golden.write_text("\n".join(actual) + "\n", encoding="utf-8")
        expected = golden.read_text(encoding="utf-8").splitlines() if golden.exists() else []
        difference = list(difflib.unified_diff(expected, actual, golden.name, "now", lineterm=""))
        print(f"{events.stem}: {'different' if difference else 'as expected'}")
        print("\n".join(difference), end="\n" if difference else "")
        failed = failed or bool(difference)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
