#!/usr/bin/env python3
"""An option that has no effect on what was asked for is refused, in every command, before anything is done."""

import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402

TRACE = "copse trace text 1\nmethod 1 A f\n0 start\n0 call 1\n0 call 1\n0 end\n"
IDS = "ids --mark A.b"

# Command line; the option at which the line begins; another value that it names. `T` is a trace, `G` a report,
# `--` at the end stands for a command that leaves a file "ran".
REFUSED = [
    # run: settings of an engine
    ("run --by-thread each --engine uptree --", "--by-thread", "--engine inline"),
    ("run --measure cpu --engine uptree:every=3 --", "--measure", "--engine uptree"),
    # run, several times
    ("run --runs 3 --snapshot 5s --", "--snapshot", "--runs"),
    # options of other modes
    ("run --mark A.b --", "--mark", "copse ids, copse validate"),
    ("run --encoder segment --", "--encoder", "copse ids, copse validate"),
    ("run --selective --graph G --", "--selective", "copse ids, copse validate"),
    ("run --event-file x --", "--event-file", "copse ids"),
    ("run --values A.b --", "--values", "copse record"),
    ("run --check-every 3 --", "--check-every", "copse validate"),
    ("record --memory 64M --", "--memory", "copse run"),
    ("record --engine parallel --", "--engine", "copse run"),
    (f"{IDS} --engine parallel --", "--engine", "copse run"),
    (f"{IDS} --no-sites --", "--no-sites", "copse run"),
    (f"{IDS} --recursion merge --", "--recursion", "copse run"),
    (f"{IDS} --by-thread each --", "--by-thread", "copse run"),
    (f"{IDS} --packet-slots 8 --", "--packet-slots", "copse validate, copse record"),
    (f"{IDS} --runs 3 --", "--runs", "copse run"),
    ("validate --measure cpu --", "--measure", "copse run"),
    ("attach 1 --jdk", "--jdk", "copse run"),
    ("attach 1 --keep-stack-size", "--keep-stack-size", "copse run"),
    # options of an older Copse
    ("run --event cpu --", "--event", "--measure"),
    ("run --measure cpu --cpu-interval 5ms --", "--cpu-interval", "--measure cpu:interval=PERIOD"),
    ("run --workers 3 --", "--workers", "--engine parallel:workers=N"),
    ("run --event-every 3 --", "--event-every", "--engine uptree:every=N"),
    ("run --merge-recursion --", "--merge-recursion", "--recursion"),
    ("replay T --fold-recursion", "--fold-recursion", "--recursion"),
    ("validate --token-every=3 --", "--token-every", "--check-every"),
    # record, of values
    ("record --values A.b --include C --", "--include", "--values"),
    ("record --values A.b --exclude C --", "--exclude", "--values"),
    ("record --values A.b --jdk --", "--jdk", "--values"),
    ("record --values A.b --packet-slots 8 --", "--packet-slots", "--values"),
    # ids
    ("ids --measure cpu --encoder pcc --", "--measure", "--encoder segment"),
    ("ids --event-file x --", "--event-file", "--mark"),
    ("ids --event-file x --encoder dacce --mark A.b --", "--event-file", "--encoder segment"),
    ("ids --graph G --", "--graph", "pcce, deltapath, rcce"),
    ("ids --encoder pcce --", "--encoder pcce", "--graph"),
    ("ids --graph G --selective --", "--selective", "--mark"),
    (f"{IDS} --selective --", "--selective", "--graph"),
    (f"{IDS} --graph G --selective --measure cpu --", "--selective", "--measure"),
    # replay
    ("replay T --engine inline", "--engine inline", "parallel and uptree"),
    # report
    ("report G --top 3 --format html -o x.html", "--top", "html"),
    ("report G --top 3 -o x.json", "--top", "json"),
    ("report G --min-percent 3", "--min-percent", "tree"),
    ("report G --format html -o p.html --lines", "--lines", "collapsed"),
    ("report G --paths", "--paths", "rows"),
    ("report G --depth 3", "--depth", "otlp"),
    # import
    ("import G --service s -o x.json", "--service", "--clickhouse"),
    ("import G --where day -o x.json", "--where", "--clickhouse"),
    ("import --clickhouse http://h --where day= -o x.json", "--where", "column 5: "),
    ("import G --since 2026-11-01 -o x.json", "--since", "--clickhouse"),
    ("import --clickhouse http://h --as calls -o x.json", "--as", "--clickhouse"),
    ("import G --clickhouse http://h -o x.json", "import", "--clickhouse"),
    ("import -o x.json", "import", "--clickhouse"),
    ("import G --as 7x -o x.json", "--as", "7x"),
    # validate: a trace
    ("validate T -o x.json", "--output", "copse validate -- COMMAND"),
    ("validate T --include a.**", "--include", "copse validate -- COMMAND"),
    ("validate T --exclude a.**", "--exclude", "copse validate -- COMMAND"),
    ("validate T --jdk", "--jdk", "copse validate -- COMMAND"),
    ("validate T --packet-slots 4096", "--packet-slots", "copse validate -- COMMAND"),
    ("validate T --check-every 1", "--check-every", "copse validate -- COMMAND"),
    ("validate T --stack-every 1000", "--stack-every", "copse validate -- COMMAND"),
    ("validate T --mark a.b", "--mark", "copse validate -- COMMAND"),
    ("validate T --selective", "--selective", "copse validate -- COMMAND"),
    ("validate T --withhold 0.5 --encoder segment", "--withhold", "segment"),
    ("validate T --graph G --encoder segment,walk", "--graph", "walk, segment"),
    ("validate T --max-codes 8 --encoder walk", "--max-codes", "walk"),
    ("validate T --save . --encoder pcc32", "--save"),
    # validate: a command
    ("validate T --", "validate", "T"),
    ("validate --every 3 --", "--every", "copse validate TRACE"),
    ("validate --random 3 --", "--random", "copse validate TRACE"),
    ("validate --seed 3 --", "--seed", "copse validate TRACE"),
    ("validate --withhold 0 --", "--withhold", "copse validate TRACE"),
    ("validate --withhold 0 --withhold-entries --", "--withhold", "copse validate TRACE"),
    ("validate --max-codes 62 --", "--max-codes", "copse validate TRACE"),
    ("validate --events 3 --", "--events", "copse validate TRACE"),
    ("validate --max-memory 3 --", "--max-memory", "copse validate TRACE"),
    ("validate --failure x.txt --", "--failure", "copse validate TRACE"),
    ("validate --save . --", "--save", "copse validate TRACE"),
    ("validate --graph G --", "--graph", "pcce, deltapath, rcce"),
    ("validate --graph G --selective --", "--selective", "--mark"),
    ("validate --encoder segment --encoder dacce --", "validate", "--encoder"),
    # compare
    ("compare --every 3 --", "--every", "copse compare TRACE"),
    ("compare --random 3 --", "--random", "copse compare TRACE"),
    ("compare --seed 3 --", "--seed", "copse compare TRACE"),
    ("compare --withhold 0.5 --", "--withhold", "copse compare TRACE"),
    ("compare --max-codes 8 --", "--max-codes", "copse compare TRACE"),
    ("compare --events 8 --", "--events", "copse compare TRACE"),
    ("compare --max-memory 1 --", "--max-memory", "copse compare TRACE"),
    ("compare --graph G --encoder segment --", "--graph", "pcce"),
    ("compare --encoder segment,walk --", "compare", "--encoder walk"),
    ("compare T --encoder walk --", "compare", "--encoder walk"),
    ("compare T --graph G --encoder segment", "--graph", "segment"),
    ("compare T --graph G --encoder segment --", "--graph", "segment"),
    ("compare T --withhold 0.5 --encoder walk", "--withhold", "walk"),
    ("compare T --max-codes 5 --encoder walk", "--max-codes", "walk"),
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
    "validate T --withhold 0.5 --withhold-entries --seed 3 --encoder pcce", "validate T --max-codes 8 --encoder luce",
    "compare T --encoder pcce --graph G --rounds 1 --details", "report G --top 3", "report G --depth 3 -o x.tree",
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
        for line, option, *values in REFUSED:
            with self.subTest(line):
                self.assert_one_line(self.type(line), 2, f"copse: {option}: ", *values, stdout="")
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
        self.assert_one_line(outcome, 2, "--measure", "Wall", "calls, cpu, ", "wall?", stdout="")
        self.assertFalse((self.folder / "ran-again").exists())


driver.main("copse")
