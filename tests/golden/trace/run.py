#!/usr/bin/env python3
"""Small text traces (data/*.txt) and the reports a person has read (data/*.expected), through copse replay.

    run.py --copse CLI --work DIR [--update]     --update accepts what comes out; then read the difference"""

import argparse
import difflib
import json
import pathlib
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parent / "data"


def replayed(copse, trace, report):
    """The report as text, without what changes from version to version and machine to machine, with what
    the command says and how it ends."""
    outcome = subprocess.run([copse, "replay", trace.name, "--engine", "parallel:workers=1", "--memory", "1G", "-o", report], cwd=trace.parent,
                             stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    masked = ['"created_by":"copse",' if line.startswith('"created_by"') else line for line in lines]
    json.loads("\n".join(masked) or "{}")
    said = outcome.stderr.replace(str(report), "REPORT").splitlines()
    return masked + [f"# {line}" for line in said] + [f"# exit status {outcome.returncode}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copse", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    traces = sorted(DATA.glob("*.txt"))
    failed = not traces
    for trace in traces:
        report = (args.work / trace.with_suffix(".json").name).resolve()
        report.unlink(missing_ok=True)
        actual = replayed(args.copse.resolve(), trace, report)
        golden = trace.with_suffix(".expected")
        if args.update:
            golden.write_text("\n".join(actual) + "\n", encoding="utf-8")
        expected = golden.read_text(encoding="utf-8").splitlines() if golden.exists() else []
        difference = list(difflib.unified_diff(expected, actual, golden.name, "now", lineterm=""))
        print(f"{trace.name}: {'different' if difference else 'as expected'}")
        print("\n".join(difference), end="\n" if difference else "")
        failed = failed or bool(difference)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
