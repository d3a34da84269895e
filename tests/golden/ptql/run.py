#!/usr/bin/env python3
"""Queries (data/*.ptql), the texts of events they are asked of (data/*.events), and what a person has read as the
answers (data/*.expected).

    run.py --copse CLI [--update]     --update accepts what comes out; then read the difference"""

import argparse
import difflib
import pathlib
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parent / "data"


def asked(copse, query):
    """What the command prints and says, and how it ends."""
    outcome = subprocess.run([copse, "ptql", "--file", query.name, query.with_suffix(".events").name], cwd=query.parent,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    said = [f"# {line}" for line in outcome.stderr.splitlines()]
    return outcome.stdout.splitlines() + said + [f"# exit status {outcome.returncode}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copse", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    queries = sorted(DATA.glob("*.ptql"))
    failed = not queries
    for query in queries:
        actual = asked(args.copse.resolve(), query)
        golden = query.with_suffix(".expected")
        if args.update:
            golden.write_text("\n".join(actual) + "\n", encoding="utf-8")
        expected = golden.read_text(encoding="utf-8").splitlines() if golden.exists() else []
        difference = list(difflib.unified_diff(expected, actual, golden.name, "now", lineterm=""))
        print(f"{query.name}: {'different' if difference else 'as expected'}")
        print("\n".join(difference), end="\n" if difference else "")
        failed = failed or bool(difference)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
