"""Samples of a flight recording, as chains of the methods that Copse records."""

import json
import os
import re
import shlex
import subprocess
import sys

DEEPEST = 2048


def run(command, what):
    """Returns what the command prints; `what` names it in the error when it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{what}: {shlex.join(command)}: status {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def java_home(given):
    """That of javac on the PATH unless one is given."""
    return given or os.path.dirname(os.path.dirname(os.path.realpath(
        subprocess.run(["sh", "-c", "command -v javac"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip())))


def skipped_of(report):
    """Classes, and methods as CLASS.NAME, that are not recorded by a report that is loaded."""
    names = set()
    for row in report["skipped"]:
        method = row.get("method", "").split("(")[0]
        names.add(row["class"] + ("." + method if method else ""))
    return names


def frame_of(frame, skipped):
    """The frame's name, or None when Copse does not record it."""
    method = frame["method"]
    kind = method["type"]
    loader = kind.get("classLoader")
    if loader is None or loader.get("name") in ("bootstrap", "platform") or kind.get("hidden"):
        return None
    owner = kind["name"].replace("/", ".")
    if re.search(r"[./+]0x[0-9a-f]+", owner):
        return None
    name = f"{owner}.{method['name']}"
    return None if owner in skipped or name in skipped else name


def events(home, recording, kind, what):
    """The values of each event of a kind."""
    text = run([os.path.join(home, "bin", "jfr"), "print", "--json", "--stack-depth", str(DEEPEST), "--events", kind, recording], what)
    return [event["values"] for event in json.loads(text)["recording"]["events"]]


def frames_of(values):
    """Innermost first; none where the stack is not whole."""
    stack = values.get("stackTrace") or {"frames": [], "truncated": True}
    return [] if stack["truncated"] else stack["frames"]
