#!/usr/bin/env python3
"""An option that has no effect on what was asked for is refused, in every command, before anything is done."""

import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402

TRACE = "copse trace text 1\nmethod 1 A f\n0 start\n0 call 1\n0 call 1\n0 end\n"
IDS = "run --encoder segment --mark A.b"
BEFORE = "is for encoders that number before the run, pcce, deltapath, rcce, and for --selective"

# Command line; a line that begins with its option's name and has these words. `T` is a trace, `G` a report,
# `--` at the end stands for a command that leaves a file "ran".
REFUSED = [
    # run, by what builds contexts
    ("run --workers 3 --engine inline --", "--workers", "--engine inline has no packets"),
    ("run --workers 0 --engine inline --", "--workers", "--engine inline has no packets"),
    ("run --packet-slots 8 --engine inline --", "--packet-slots", "--engine inline has no packets"),
    ("run --packet-slots 4096 --engine inline --", "--packet-slots", "--engine inline has no packets"),
    ("run --event-every 5 --", "--event-every", "needs --engine uptree"),
    ("replay T --engine inline", "--engine inline", "replay has parallel and uptree"),
    ("run --event-every 5 --engine parallel --", "--event-every", "needs --engine uptree"),
    ("run --event-every 5 --workers 2 --", "--event-every", "needs --engine uptree"),
    # record, of values
    ("record --values A.b --include C --", "--include", "no effect with --values"),
    ("record --values A.b --exclude C --", "--exclude", "no effect with --values"),
    ("record --values A.b --jdk --", "--jdk", "a glob that begins with a name may be of the JDK"),
    ("record --values A.b --packet-slots 8 --", "--packet-slots", "no effect with --values"),
    # run, of ids
    ("run --mark A.b --", "--mark", "needs --encoder"),
    ("run --event cpu --", "--event", "add --encoder segment"),
    ("run --event cpu --encoder pcc --", "--event", "whose ids decode"),
    ("run --event allocation --event allocation=exact --encoder segment --", "--event", "either"),
    ("run --event-file x --", "--event-file", "needs --event or --mark"),
    ("run --event-file x --encoder segment --", "--event-file", "needs --event or --mark"),
    ("run --event-file x --encoder dacce --mark A.b --", "--event-file", "needs --encoder segment"),
    ("run --measure calls --cpu-interval 5ms --", "--cpu-interval", "needs --measure cpu"),
    ("run --measure wall --cpu-interval 10ms --", "--cpu-interval", "needs --measure cpu"),
    ("run --measure calls,cpu --encoder segment --", "--measure", "calls has no effect with --encoder"),
    ("run --measure cpu --encoder pcc --", "--measure", "whose ids decode"),
    (f"{IDS} --graph G --selective --measure cpu --", "--measure", "not with --selective"),
    ("run --measure alloc,alloc=exact --", "--measure", "either alloc or alloc=exact"),
    ("run --measure cpu --engine uptree --event-every 3 --", "--measure", "not with --event-every"),
    ("run --cpu-interval 10ms --encoder segment --event exception --", "--cpu-interval", "needs --event cpu"),
    ("run --graph G --", "--graph", BEFORE),
    ("run --graph G --encoder segment --", "--graph", BEFORE),
    ("run --encoder pcce --", "--encoder", "pcce needs --graph"),
    ("run --selective --graph G --", "--selective", "needs --encoder"),
    ("run --encoder segment --graph G --selective --", "--selective", "needs --mark"),
    (f"{IDS} --selective --", "--selective", "needs --graph"),
    (f"{IDS} --graph G --selective --event cpu --", "--selective", "not with --event, since any method can have one"),
    ("run --encoder pcc --mark A.b --memory 64M --", "--memory", "no effect with --encoder pcc"),
    (f"{IDS} --engine parallel --", "--engine", "no effect with --encoder"),
    (f"{IDS} --engine inline --", "--engine", "no effect with --encoder"),
    (f"{IDS} --no-sites --", "--no-sites", "no effect with --encoder"),
    (f"{IDS} --recursion merge --", "--recursion", "no effect with --encoder"),
    (f"{IDS} --event-every 3 --", "--event-every", "no effect with --encoder"),
    (f"{IDS} --workers 2 --", "--workers", "no effect with --encoder"),
    (f"{IDS} --workers 0 --", "--workers", "no effect with --encoder"),
    (f"{IDS} --packet-slots 8 --", "--packet-slots", "no effect with --encoder"),
    (f"{IDS} --packet-slots 4096 --", "--packet-slots", "no effect with --encoder"),
    ("run --encoder pcc --mark A.b --max-contexts 9 --", "--max-contexts", "no effect with --encoder pcc"),
    # run, several times
    ("run --runs 3 --encoder segment --", "--encoder", "not with --runs"),
    ("run --runs 3 --snapshot 5s --", "--snapshot", "not with --runs"),
    # attach: as run
    ("attach 1 --workers 3 --engine inline", "--workers", "--engine inline has no packets"),
    ("attach 1 --packet-slots 4096 --engine inline", "--packet-slots", "--engine inline has no packets"),
    ("attach 1 --event-every 3", "--event-every", "needs --engine uptree"),
    ("attach 1 --jdk", "--jdk", "copse run --jdk"),
    # replay
    ("replay T --event-every 3", "--event-every", "needs --engine uptree"),
    ("replay T --event-every 3 --workers 2", "--event-every", "needs --engine uptree"),
    ("run --merge-recursion --", "--merge-recursion", "is called --recursion now"),
    ("replay T --fold-recursion", "--fold-recursion", "is called --recursion now"),
    ("validate --token-every=3 --", "--token-every", "is called --check-every now"),
    # report
    ("report G --top 3 --format html -o x.html", "--top", "html, only on summary"),
    ("report G --top 3 -o x.json", "--top", "json, only on summary"),
    ("report G --min-percent 3", "--min-percent", "summary, only on tree"),
    ("report G --format html -o p.html --lines", "--lines", "html, only on collapsed"),
    ("report G --paths", "--paths", "summary, only on rows"),
    ("report G --depth 3", "--depth", "summary, only on tree, collapsed, pprof and otlp"),
    # import
    ("import G --service s -o x.json", "--service", "no effect without --clickhouse"),
    ("import G --where day -o x.json", "--where", "no effect without --clickhouse"),
    ("import --clickhouse http://h --where day= -o x.json", "--where", "column 5: a day is expected"),
    ("import G --since 2026-11-01 -o x.json", "--since", "no effect without --clickhouse"),
    ("import --clickhouse http://h --as calls -o x.json", "--as", "no effect with --clickhouse"),
    ("import G --clickhouse http://h -o x.json", "import", "FILE or --clickhouse URL, not both"),
    ("import -o x.json", "import", "FILE or --clickhouse URL"),
    ("import G --as 7x -o x.json", "--as", "is no name of a measure"),
    # validate: a trace
    ("validate T -o x.json", "--output", "on a trace, only on a command"),
    ("validate T --include a.**", "--include", "on a trace, only on a command"),
    ("validate T --exclude a.**", "--exclude", "on a trace, only on a command"),
    ("validate T --jdk", "--jdk", "on a trace, only on a command"),
    ("validate T --packet-slots 4096", "--packet-slots", "on a trace, only on a command"),
    ("validate T --check-every 1", "--check-every", "on a trace, only on a command"),
    ("validate T --stack-every 1000", "--stack-every", "on a trace, only on a command"),
    ("validate T --mark a.b", "--mark", "on a trace, only on a command"),
    ("validate T --selective", "--selective", "on a trace, only on a command"),
    ("validate T --seed 3", "--seed", "without --random N or --withhold F"),
    ("validate T --withhold 0.5 --encoder segment", "--withhold", "on segment, only on pcce"),
    ("validate T --graph G --encoder segment,walk", "--graph", "on walk, segment, only on pcce"),
    ("validate T --max-codes 8 --encoder walk", "--max-codes", "on walk, only on segment"),
    ("validate T --save . --encoder pcc32", "--save", "do not decode"),
    # validate: a command
    ("validate T --", "validate", "a trace or a command, not both"),
    ("validate --every 3 --", "--every", "on a command; there it is --check-every N"),
    ("validate --random 3 --", "--random", "on a command, only on a trace"),
    ("validate --seed 3 --", "--seed", "on a command, only on a trace"),
    ("validate --withhold 0 --", "--withhold", "on a command, only on a trace"),
    ("validate --max-codes 62 --", "--max-codes", "on a command, only on a trace"),
    ("validate --events 3 --", "--events", "on a command, only on a trace"),
    ("validate --max-memory 3 --", "--max-memory", "on a command, only on a trace"),
    ("validate --failure x.txt --", "--failure", "on a command, only on a trace"),
    ("validate --save . --", "--save", "on a command, only on a trace"),
    ("validate --stack-every 5 --jdk --", "--stack-every", "no effect with --jdk"),
    ("validate --stack-every 5 --encoder pcc --", "--stack-every", "no effect with --encoder pcc"),
    ("validate --graph G --", "--graph", BEFORE),
    ("validate --graph G --selective --", "--selective", "needs --mark"),
    ("validate --encoder segment --encoder dacce --", "validate", "one --encoder"),
    # compare
    ("compare --every 3 --", "--every", "on a command, only on a trace"),
    ("compare --random 3 --", "--random", "on a command, only on a trace"),
    ("compare --seed 3 --", "--seed", "on a command, only on a trace"),
    ("compare --withhold 0.5 --", "--withhold", "on a command, only on a trace"),
    ("compare --max-codes 8 --", "--max-codes", "on a command, only on a trace"),
    ("compare --events 8 --", "--events", "on a command, only on a trace"),
    ("compare --max-memory 1 --", "--max-memory", "on a command, only on a trace"),
    ("compare --graph G --encoder segment --", "--graph", "pcce, deltapath, rcce"),
    ("compare --encoder segment,walk --", "compare", "--encoder walk: no program runs with it"),
    ("compare T --encoder walk --", "compare", "--encoder walk: no program runs with it"),
    ("compare T --seed 3", "--seed", "without --random N or --withhold F"),
    ("compare T --graph G --encoder segment", "--graph", "on segment, only on pcce"),
    ("compare T --graph G --encoder segment --", "--graph", "on segment, only on pcce"),
    ("compare T --withhold 0.5 --encoder walk", "--withhold", "on walk, only on pcce"),
    ("compare T --max-codes 5 --encoder walk", "--max-codes", "on walk, only on segment"),
]

# What has an effect, or asks for nothing, stays allowed.
ALLOWED = [
    "run --workers 0 --", "run --packet-slots 4096 --", "run --workers 2 --engine uptree --event-every 3 --",
    "run --event-every 0 --", "run --max-contexts 2 --", f"{IDS} --max-contexts 2 --", "replay T --max-contexts 2",
    "run --packet-slots 8 --recursion merge --no-sites --memory 64M --",
    f"{IDS} --memory 64M --jdk --include a.** --", "run --encoder segment --event cpu --cpu-interval 10ms --", "run --measure calls,cpu --cpu-interval 5ms --",
    "run --measure calls,alloc=exact --", "run --measure alloc=exact --engine parallel --", "run --encoder segment --measure alloc=exact --",
    "run --measure calls --engine uptree --event-every 3 --", "run --measure cpu,wall --workers 2 --", "run --encoder segment --measure cpu,locks --cpu-interval 5ms --",
    "run --encoder segment --measure wall --", "run --encoder segment --event wall --event parked --",
    f"{IDS} --graph G --selective --event id --",
    "run --encoder segment --", "record --packet-slots 8 --jdk --", "replay T --workers 0",
    "replay T --engine uptree --event-every 3", "validate T --random 1 --seed 3 --encoder walk",
    "validate T --withhold 0.5 --seed 3 --encoder pcce", "validate T --max-codes 8 --encoder luce",
    "compare T --encoder pcce --graph G --rounds 1", "report G --top 3", "report G --depth 3 -o x.tree",
]


class Options(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        (self.folder / "T").write_text(TRACE)
        self.done("replay", "T", "-o", "G")

    def type(self, line):
        words = line.split()
        return self.copse(*words, *(["touch", "ran"] if words[-1] == "--" else []))

    def test_without_an_effect_it_is_refused_before_anything_is_done(self):
        before = sorted(os.listdir(self.folder))
        for line, option, why in REFUSED:
            with self.subTest(line):
                result = self.type(line)
                self.assertEqual((result.status, result.stdout), (2, ""), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
                self.assertTrue(result.stderr.startswith(f"copse: {option}: "), result.stderr)
                self.assertIn(why, result.stderr)
                self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_with_an_effect_it_is_allowed(self):
        for line in ALLOWED:
            with self.subTest(line):
                outcome = self.type(line)
                self.assertEqual(outcome.status, 0, outcome)
                self.assertEqual((self.folder / "ran").exists(), line.endswith("--"))
                (self.folder / "ran").unlink(missing_ok=True)

    def test_what_to_measure_may_have_spaces_but_no_capitals(self):
        self.assertEqual(self.copse("run", "--measure", "cpu, wall ", "--", "touch", "ran").status, 0)
        outcome = self.copse("run", "--measure", "cpu, Wall", "--", "touch", "ran-again")
        self.assertEqual((outcome.status, outcome.stdout), (2, ""))
        self.assertRegex(outcome.stderr, r"^copse: run: --measure: 'Wall' is not one of calls, cpu, .*; did you mean wall\?\n$")
        self.assertFalse((self.folder / "ran-again").exists())


driver.main("copse")
