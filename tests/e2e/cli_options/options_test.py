#!/usr/bin/env python3
"""An option that has no effect on what was asked for is refused, in every command, before anything is done."""

import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402

TRACE = "copse trace text 1\nmethod 1 A f\n0 start\n0 call 1\n0 call 1\n0 end\n"
IDS = "ids --mark A.b"
BEFORE = "is for encoders that number before the run, pcce, deltapath, rcce, and for --selective"

# Command line; a line that begins with its option's name and has these words. `T` is a trace, `G` a report,
# `--` at the end stands for a command that leaves a file "ran".
REFUSED = [
    # run: settings of an engine
    ("run --by-thread each --engine uptree --", "--by-thread", "needs --engine inline"),
    ("run --measure cpu --engine uptree:every=3 --", "--measure", "not with --engine uptree:every=N"),
    # run, several times
    ("run --runs 3 --snapshot 5s --", "--snapshot", "not with --runs"),
    # options of other modes
    ("run --mark A.b --", "--mark", "only of copse ids, copse validate"),
    ("run --encoder segment --", "--encoder", "only of copse ids, copse validate"),
    ("run --selective --graph G --", "--selective", "only of copse ids, copse validate"),
    ("run --event-file x --", "--event-file", "only of copse ids"),
    ("run --values A.b --", "--values", "only of copse record"),
    ("run --check-every 3 --", "--check-every", "only of copse validate"),
    ("record --memory 64M --", "--memory", "only of copse run"),
    ("record --engine parallel --", "--engine", "only of copse run"),
    (f"{IDS} --engine parallel --", "--engine", "only of copse run"),
    (f"{IDS} --no-sites --", "--no-sites", "only of copse run"),
    (f"{IDS} --recursion merge --", "--recursion", "only of copse run"),
    (f"{IDS} --by-thread each --", "--by-thread", "only of copse run"),
    (f"{IDS} --packet-slots 8 --", "--packet-slots", "only of copse validate, copse record"),
    (f"{IDS} --runs 3 --", "--runs", "only of copse run"),
    ("validate --measure cpu --", "--measure", "only of copse run"),
    ("attach 1 --jdk", "--jdk", "only of copse run"),
    ("attach 1 --keep-stack-size", "--keep-stack-size", "only of copse run"),
    # options of an older Copse
    ("run --event cpu --", "--event", "is called --measure now"),
    ("run --measure cpu --cpu-interval 5ms --", "--cpu-interval", "is called --measure cpu:interval=PERIOD now"),
    ("run --workers 3 --", "--workers", "is called --engine parallel:workers=N now"),
    ("run --event-every 3 --", "--event-every", "is called --engine uptree:every=N now"),
    ("run --merge-recursion --", "--merge-recursion", "is called --recursion now"),
    ("replay T --fold-recursion", "--fold-recursion", "is called --recursion now"),
    ("validate --token-every=3 --", "--token-every", "is called --check-every now"),
    # record, of values
    ("record --values A.b --include C --", "--include", "not with --values"),
    ("record --values A.b --exclude C --", "--exclude", "not with --values"),
    ("record --values A.b --jdk --", "--jdk", "not with --values"),
    ("record --values A.b --packet-slots 8 --", "--packet-slots", "not with --values"),
    # ids
    ("ids --measure cpu --encoder pcc --", "--measure", "whose ids decode"),
    ("ids --event-file x --", "--event-file", "needs --measure or --mark"),
    ("ids --event-file x --encoder dacce --mark A.b --", "--event-file", "needs --encoder segment"),
    ("ids --graph G --", "--graph", BEFORE),
    ("ids --encoder pcce --", "--encoder pcce", "needs --graph"),
    ("ids --graph G --selective --", "--selective", "needs --mark"),
    (f"{IDS} --selective --", "--selective", "needs --graph"),
    (f"{IDS} --graph G --selective --measure cpu --", "--selective", "not with --measure, since any method can have"),
    # replay
    ("replay T --engine inline", "--engine inline", "replay has parallel and uptree"),
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
    ("validate T -o x.json", "--output", "copse validate -- COMMAND alone"),
    ("validate T --include a.**", "--include", "copse validate -- COMMAND alone"),
    ("validate T --exclude a.**", "--exclude", "copse validate -- COMMAND alone"),
    ("validate T --jdk", "--jdk", "copse validate -- COMMAND alone"),
    ("validate T --packet-slots 4096", "--packet-slots", "copse validate -- COMMAND alone"),
    ("validate T --check-every 1", "--check-every", "copse validate -- COMMAND alone"),
    ("validate T --stack-every 1000", "--stack-every", "copse validate -- COMMAND alone"),
    ("validate T --mark a.b", "--mark", "copse validate -- COMMAND alone"),
    ("validate T --selective", "--selective", "copse validate -- COMMAND alone"),
    ("validate T --withhold 0.5 --encoder segment", "--withhold", "on segment, only on pcce"),
    ("validate T --graph G --encoder segment,walk", "--graph", "on walk, segment, only on pcce"),
    ("validate T --max-codes 8 --encoder walk", "--max-codes", "on walk, only on segment"),
    ("validate T --save . --encoder pcc32", "--save", "do not decode"),
    # validate: a command
    ("validate T --", "validate", "a trace or a command, not both"),
    ("validate --every 3 --", "--every", "copse validate TRACE alone"),
    ("validate --random 3 --", "--random", "copse validate TRACE alone"),
    ("validate --seed 3 --", "--seed", "copse validate TRACE alone"),
    ("validate --withhold 0 --", "--withhold", "copse validate TRACE alone"),
    ("validate --max-codes 62 --", "--max-codes", "copse validate TRACE alone"),
    ("validate --events 3 --", "--events", "copse validate TRACE alone"),
    ("validate --max-memory 3 --", "--max-memory", "copse validate TRACE alone"),
    ("validate --failure x.txt --", "--failure", "copse validate TRACE alone"),
    ("validate --save . --", "--save", "copse validate TRACE alone"),
    ("validate --graph G --", "--graph", BEFORE),
    ("validate --graph G --selective --", "--selective", "needs --mark"),
    ("validate --encoder segment --encoder dacce --", "validate", "one --encoder"),
    # compare
    ("compare --every 3 --", "--every", "copse compare TRACE alone"),
    ("compare --random 3 --", "--random", "copse compare TRACE alone"),
    ("compare --seed 3 --", "--seed", "copse compare TRACE alone"),
    ("compare --withhold 0.5 --", "--withhold", "copse compare TRACE alone"),
    ("compare --max-codes 8 --", "--max-codes", "copse compare TRACE alone"),
    ("compare --events 8 --", "--events", "copse compare TRACE alone"),
    ("compare --max-memory 1 --", "--max-memory", "copse compare TRACE alone"),
    ("compare --graph G --encoder segment --", "--graph", "pcce, deltapath, rcce"),
    ("compare --encoder segment,walk --", "compare", "--encoder walk: no program runs with it"),
    ("compare T --encoder walk --", "compare", "--encoder walk: no program runs with it"),
    ("compare T --graph G --encoder segment", "--graph", "on segment, only on pcce"),
    ("compare T --graph G --encoder segment --", "--graph", "on segment, only on pcce"),
    ("compare T --withhold 0.5 --encoder walk", "--withhold", "on walk, only on pcce"),
    ("compare T --max-codes 5 --encoder walk", "--max-codes", "on walk, only on segment"),
]

# Options that have an effect, or ask for nothing, stay allowed.
ALLOWED = [
    "run --engine parallel:workers=0 --", "run --engine uptree:workers=2:every=3 --", "run --engine uptree:every=0 --measure cpu --",
    "run --max-contexts 2 --", f"{IDS} --max-contexts 2 --", "replay T --max-contexts 2",
    "run --engine parallel:packet=8 --recursion merge --no-sites --memory 64M --",
    f"{IDS} --memory 64M --jdk --include a.** --", "ids --measure cpu:interval=10ms --", "run --measure calls,cpu:interval=5ms --",
    "run --measure calls,alloc=exact --", "run --measure alloc,alloc=exact --", "run --measure alloc=exact --engine parallel --",
    "ids --measure alloc=exact --", "run --measure calls --engine uptree:every=3 --", "run --measure cpu,wall --engine parallel:workers=2 --",
    "ids --measure cpu:interval=5ms,locks --", "ids --measure wall --", "ids --encoder pcc --mark A.b --memory 64M --",
    f"{IDS} --graph G --selective --measure ids --", "ids --", "record --packet-slots 8 --jdk --", "replay T --engine parallel:workers=0",
    "replay T --engine uptree:every=3", "validate T --random 1 --seed 3 --encoder walk", "validate T --seed 3 --encoder walk",
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
