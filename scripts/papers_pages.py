"""Pages of scripts/papers: each table and figure of a paper beside the same figures of our programs, in its units.

A page is a function of `ours`, what papers_measured.measure() returned, of `theirs`, the paper's part of papers.json,
and of `record`, results of long runs that stand in reports/*.json. A figure that is not there is `not measured`."""

import math

NOT_MEASURED = "not measured"


def text_of(value, digits=2):
    if value is None:
        return NOT_MEASURED
    if isinstance(value, float):
        return f"{value:,.{digits}f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def table(columns, rows):
    """Columns of names are left, others right."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" + "--:|" * (len(columns) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(text_of, row)) + " |" for row in rows])


def short(number):
    """A large number as papers write it: 1.2e+10."""
    return f"{number:.1e}" if isinstance(number, int) and number >= 10_000_000 else number


def at(data, *path):
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def ratio(run, bare, key):
    """A run's figure by that of the bare run, or why there is none."""
    if run is None or at(bare, key) is None:
        return None
    return run["why_not"] if "why_not" in run else at(run, key) / at(bare, key)


def encoder(program, name):
    return at(program, "trace", "encoders", name)


def slowdown(program, name, key="slowdown"):
    return at(program, "live", "encoders", name, key)


def on_record(record, file, configuration):
    """A geometric mean of a long run, once warm."""
    return at(record, file, "data", "geometric_means", configuration, "steady_ms")


def decodes(ours, name):
    """Its tokens of all programs, as a verb: `decodes all 500 tokens`."""
    found = [at(encoder(program, name), "precision") for program in ours["programs"].values()]
    tokens, decoded = (sum(one[key] for one in found if one) for key in ("tokens", "decoded"))
    return f"decodes all {tokens:,} tokens" if tokens == decoded else f"decodes {decoded:,} of {tokens:,} tokens"


def extent(ours, take):
    """Least and most of a figure: `0.89 to 17.47`."""
    found = [value for value in map(take, ours["programs"].values()) if value is not None]
    return f"{text_of(min(found))} to {text_of(max(found))}" if found else NOT_MEASURED


def by_program(ours, columns):
    """A row for each program: `columns` are (title, function of the program's figures)."""
    return table(["program", *(title for title, _ in columns)],
                 [[name, *(take(program) for _, take in columns)] for name, program in ours["programs"].items()])


def recorded(record, *files):
    return "\n".join(f"* `reports/{file}.json`: {record[file]['data']['when']}, commit {record[file]['commit']}, "
                     f"`{record[file]['data']['command'].split(' -o ')[0]}`" for file in files if file in record)


def page(theirs, sentences, sections, ours, record, files=()):
    busy = ("The machine was busy meanwhile" if ours["load"] > 1.5 else "The machine was quiet")
    runs = f"medians of {ours['rounds']} whole processes" if ours["rounds"] > 1 else "of one whole process"
    note = (f"Measured {ours['when']} at commit {ours['commit']}: {ours['machine']}, {ours['java']}. Times are "
            f"{runs}, one iteration, start "
            f"of the JVM included. {busy} (load average {ours['load']:.1f}), so times are rough; processor time is "
            f"less so than wall time. Figures of traces are of the first "
            f"{ours['events']:,} events of a recording, and do not depend on load.\n\n    {ours['command']}")
    text = [f"# {theirs['title']}, beside its paper", " ".join(sentences), f"Paper: {theirs['reference']}."]
    for title, body in sections:
        text += [f"## {title}", body]
    text += ["## How it was measured", note]
    if files and recorded(record, *files):
        text += ["Longer runs on record, whose programs were warm:", recorded(record, *files)]
    return "\n\n".join(text) + "\n"


def their_rows(part, rows="rows"):
    return table(["program", *part["columns"]], [[name, *values] for name, values in part[rows].items()])


def both(where, theirs, ours, how=""):
    return f"Theirs ({where}):\n\n{theirs}\n\nOurs{', ' + how if how else ''}:\n\n{ours}"


def deltapath(ours, theirs, record):
    def facts(*path):
        return lambda program: short(at(encoder(program, "deltapath-literal"), *path))

    static = by_program(ours, [(title, facts("facts", key)) for title, key in (
        ("nodes", "nodes"), ("edges", "edges"), ("call sites", "call_sites"), ("virtual call sites",
                                                                      "virtual_call_sites"),
        ("max. ID", "max_id"), ("anchors", "anchors"))])
    dynamic = by_program(ours, [
        ("max. depth", lambda p: at(p, "trace", "stream", "max_depth")),
        ("avg. depth", lambda p: at(p, "trace", "stream", "mean_depth")),
        ("contexts by PCC", lambda p: None if encoder(p, "pcc32") is None else
            at(encoder(p, "pcc32"), "precision", "contexts") - at(encoder(p, "pcc32"), "precision", "collisions")),
        ("contexts by DeltaPath", facts("precision", "contexts")), ("stack max.", facts("stack", "max")),
        ("stack avg.", facts("stack", "mean")), ("UCP max.", facts("stack", "unexpected_max")),
        ("UCP avg.", facts("stack", "unexpected_mean")), ("max. ID", facts("facts", "max_id"))])
    time = by_program(ours, [("DeltaPath, live", lambda p: slowdown(p, "deltapath")), ("PCC, live",
                                                                      lambda p: slowdown(p, "pcc"))])
    figure = theirs["figure8"]
    words = (f"DeltaPath {1 + figure['deltapath_percent'] / 100:.2f} times the time in the geometric mean without "
             f"call path "
             f"tracking, {figure['tracking_percent']} % more with it; PCC {figure['pcc']}.")
    warm = [on_record(record, "ids", name) for name in ("app-deltapath", "app-pcc")]
    time += f"\n\nOn record, geometric means once warm: DeltaPath {text_of(warm[0])}, PCC {text_of(warm[1])}."
    return page(theirs, [
        f"DeltaPath {decodes(ours, 'deltapath-literal')} of our programs right, as the paper claims.",
        f"Our live form of it takes {text_of(warm[0])} times the time on record, once warm; the paper has 1.33, and "
        f"1.39 with call paths tracked.",
        f"Entries on its stack are {extent(ours, facts('stack', 'mean'))} in the mean, for our programs recurse "
        f"more than most of the paper's, "
        "which have 1.0 to 4.4."],
        [("Table 1: the call graph, before the run", both(theirs["table1"]["where"] + ", application; " +
            theirs["table1"]["anchors"], their_rows(theirs["table1"], "application"), static) +
          "\n\nOur graph is that of the run itself (all classes of the program that ran), theirs that of a static "
          "analysis, so ours "
          "has no call that never happens. One anchor is the entry alone. Size in bytes and the setting with all of "
          "the JDK are not made here: "
          "`copse graph` has the JDK's classes, but a graph of all of them makes no run of ours."),
         ("Figure 8: time", both(figure["where"], words, time)),
         ("Table 2: contexts and stacks", both(theirs["table2"]["where"], their_rows(theirs["table2"]), dynamic) +
          "\n\nOur entries of a stack are those below the current one, and theirs count that one, too: add 1. Ours "
          "are contexts "
          "of the tokens taken (each n-th call), theirs all at entries. UCPs are 0 where the graph is "
          "that of the run.")],
        ours, record, ["ids"])


def rcce(ours, theirs, record):
    def stack(name, key):
        return lambda program: at(encoder(program, name), "stack", key)

    stacks = by_program(ours, [("PCCE, max.", stack("pcce-literal", "max")), ("RCCE, max.", stack("rcce-literal",
                                                                      "max")),
                               ("PCCE, avg.", stack("pcce-literal", "mean")), ("RCCE, avg.", stack("rcce-literal",
                                                                      "mean")),
                               ("deepest call", lambda p: at(p, "trace", "stream", "max_depth"))])
    decoding = by_program(ours, [("PCCE, ns", lambda p: at(encoder(p, "pcce-literal"), "time", "decode_ns")),
                                 ("RCCE, ns", lambda p: at(encoder(p, "rcce-literal"), "time", "decode_ns"))])
    time = by_program(ours, [("PCCE, live", lambda p: slowdown(p, "pcce")), ("RCCE, live", lambda p: slowdown(p,
                                                                      "rcce"))])
    warm = [on_record(record, "ids", name) for name in ("app-pcce", "app-rcce")]
    time += f"\n\nOn record, geometric means once warm: PCCE {text_of(warm[0])}, RCCE {text_of(warm[1])}."
    percents = table(["least, mean, most", "PCCE", "RCCE", "RCCE-"],
                     [[name, *("{:+.1f} %, {:+.1f} %, {:+.1f} %".format(*theirs["time"][key][scheme])
                               for scheme in ("pcce", "rcce", "rcce-"))]
                      for name, key in (("DaCapo", "dacapo_percent"), ("SPECjvm2008", "specjvm_percent"))])
    return page(theirs, [
        f"RCCE has {extent(ours, stack('rcce-literal', 'max'))} entries on its stack at most where PCCE, which "
        f"pushes at each recursive call, has "
        f"{extent(ours, stack('pcce-literal', 'max'))}; the paper says so.",
        f"In a JVM it takes more time than PCCE: {text_of(warm[1])} against {text_of(warm[0])} on record, once warm.",
        "The paper has a few percent for both."],
        [("Figures 8(b), 8(c), 10 and 11: entries on the stack", both(theirs["storage"]["where"],
                                                                      theirs["storage"]["text"] + ".", stacks) +
          "\n\nEntries are those below the current one; means are over the tokens taken."),
         ("Decoding", "Nanoseconds to decode a token, which the paper has as sizes of stacks alone:\n\n" + decoding),
         ("Figures 8(a) and 12: time", both(theirs["time"]["where"], percents, time)),
         ("What cannot be made", "* Figures 6 and 7 (cost by depth of calls, eight methods of JDK 6 with random "
                                 "inputs): the methods are not "
          "in later JDKs as they were.\n* Figure 9 (time by depth of recursion): its programs are not in the set "
          "that was measured.\n"
          "* Figure 13 (four repetitions): times here are medians, and their spread is in `reports/ids.json`.")],
        ours, record, ["ids"])


def dacce(ours, theirs, record):
    def trace(*path):
        return lambda program: short(at(encoder(program, "dacce-stack"), *path))

    def calls_per_second(program):
        seconds, calls = at(program, "live", "bare", "wall_s"), at(program, "trace", "recorded_calls")
        return None if seconds is None or calls is None else round(calls / seconds)

    benchmarks = by_program(ours, [("nodes", lambda p: at(p, "trace", "stream", "methods")), ("edges", lambda p: at(p,
                                                                      "trace", "stream", "edges")),
                                   ("max. ID", trace("facts", "max_id")), ("depth", trace("stack", "mean")),
                                   ("re-encodings", trace("facts", "reencodings")), ("calls/s", calls_per_second)])
    time = by_program(ours, [("DACCE, live", lambda p: slowdown(p, "dacce"))])
    warm = on_record(record, "ids", "app-dacce")
    epochs = []
    for name, program in ours["programs"].items():
        epochs += [[name, epoch["trigger"], epoch["edges"], short(epoch["max_id"])]
                   for epoch in (at(encoder(program, "dacce-stack"), "epochs") or [])[-5:]]
    return page(theirs, [
        f"DACCE {decodes(ours, 'dacce-stack')} of our programs right without a graph before the run, as its authors "
        f"claim.",
        f"It takes {text_of(warm)} times the time on record, once warm; its authors have 2 % more.",
        f"Our programs are numbered again {extent(ours, trace('facts', 'reencodings'))} times (theirs 4 to 110), and "
        f"{extent(ours, trace('stack', 'mean'))} entries are on the stack in the mean (theirs 0.00 to 6.01)."],
        [("Benchmarks", both(theirs["benchmarks"]["where"], their_rows(theirs["benchmarks"]), benchmarks) +
          "\n\nNodes and edges are those of the events that were replayed. Depth is entries on the stack, a mean "
          "over tokens. "
          "Calls a second are those of the whole run, by the time that it takes without Copse."),
         ("Runtime overhead", both(theirs["overhead"]["where"] + "; the slides' figure has no numbers",
                                   theirs["overhead"]["text"], time) +
          f"\n\nOn record, geometric mean once warm: {text_of(warm)}."),
         ("Adaptive encoding", "Theirs is a figure without numbers. Ours, the last five re-encodings of each "
                               "program:\n\n" +
          table(["program", "why", "edges", "max. ID"], epochs) +
          "\n\nRe-encoding by heat, so that the hottest edges add nothing, is not built (`docs/encodings.md`).")],
        ours, record, ["ids"])


def luce(ours, theirs, record):
    names = {"CCT": ("trees", "inline"), "parallel CCT": ("trees", "parallel"), "CCU (uptrees)": ("trees", "uptree"),
             "PCC": "pcc",
             "Breadcrumbs": None, "PCCE": "pcce", "DeltaPath": "deltapath", "DACCE": "dacce", "Luce": "luce"}
    warm_runs = {"CCT": ("cost", "app-inline"), "parallel CCT": ("cost-packets", "app-parallel"),
                 **{name: ("ids", f"app-{how}") for name, how in names.items() if isinstance(how, str)}}

    def cell(program, how, key):
        if how is None:
            return "no live form"
        if isinstance(how, str):
            return slowdown(program, how, "slowdown" if key == "process_s" else "memory")
        return ratio(at(program, *how), at(program, "trees", "bare"), key)

    def overview(key):
        columns = ["", *ours["programs"], *(["on record, warm"] if key == "process_s" else [])]
        return table(columns, [[name, *(cell(program, how, key) for program in ours["programs"].values()),
                                *([on_record(record, *warm_runs.get(name, ("", "")))] if key == "process_s" else [])]
                               for name, how in names.items()])

    their_table = table(["", *theirs["table1"]["columns"]], [[name, *row] for name,
                                                             row in theirs["table1"]["rows"].items()])
    warm = on_record(record, "ids", "app-luce")
    precision = by_program(ours, [("tokens", lambda p: at(encoder(p, "luce"), "precision", "tokens")),
                                  ("decoded right", lambda p: at(encoder(p, "luce"), "precision", "decoded")),
                                  ("wrong", lambda p: at(encoder(p, "luce"), "precision", "wrong"))])
    return page(theirs, [
        f"Luce {decodes(ours, 'luce')} of our programs right.",
        f"It is slow, as its authors say of theirs: {text_of(warm)} times the time on record, once warm.",
        "The table has the ways of the paper's overview side by side on the same programs and the same machine."],
        [("Table 1: ways to have the context, time",
          both(theirs["table1"]["where"] + ": what others wrote of their own", their_table,
                                                            overview("process_s"),
                                                            "wall time of a whole process by that without Copse; "
                                                            "last, geometric means of "
                                                            "long runs, once warm")),
         ("Table 1: memory", "Largest process, times that without Copse:\n\n" + overview("peak_mib") +
          "\n\nTrees are runs of `copse run`, the others of `copse compare -- COMMAND`."),
         ("Figure 5: overhead", f"Theirs ({theirs['figure5']['where']}): {theirs['figure5']['text']}.\n\nOurs: the "
                                f"row of Luce above."),
         ("Are ids right?", precision),
         ("What cannot be made", "The share of classes that have probes against overhead: `copse compare` measures "
                                 "one choice of classes a "
          "run.")],
        ours, record, ["cost", "cost-packets", "ids"])


def ptql(ours, theirs, record):
    del record

    def theirs_of(part):
        return table(["query", *theirs["programs"]], [[name, *("did not end" if value is None else value
                                                               for value in row)]
                                                      for name, row in theirs[part]["rows"].items()])

    def ours_of(key):
        checks = theirs["table2"]["rows"]
        return table(["query", *ours["programs"]], [[check, *(ratio(at(program, "queries", check), at(program,
                                                                      "queries", "bare"), key)
                                                              for program in ours["programs"].values())]
                                                    for check in checks])

    sections = [("Table 2: time, times that without a query", both(theirs["table2"]["where"], theirs_of("table2"),
                                                                   ours_of("cpu_s")) +
                 "\n\nOurs is processor time, of the program and the command together, compilers and collector "
                 "included. The programs run for "
                 "a second or two, so the probes' start is a part of it; [reports/ptql.md](../ptql.md) has "
                 "longer ones."),
                ("Table 3: memory, times that without a query", both(theirs["table3"]["where"], theirs_of("table3"),
                                                                     ours_of("peak_mib")) +
                 "\n\nOurs is the largest process, the program's or the command's, which keeps the records.")]
    for name, checks in ours["ablation"].items():
        rows = []
        for check, parts in checks.items():
            whole = parts[""]
            rows += [[check, part or "nothing", run.get("why_not", run.get("cpu_s")), ratio(run, whole, "peak_mib")
                      if "why_not" not in whole
                      else None, run.get("answers")] for part, run in parts.items()]
        sections.append((f"Figures 10 and 11: parts left out, {name}",
                         f"Theirs ({theirs['ablation']['where']}, on tomcat): "
                         f"{theirs['ablation']['text']}.\n\nOurs, with `--without`; "
                         "memory is the largest process, times that of the run with all parts:\n\n" +
                         table(["query", "without", "processor s", "memory", "answers"], rows)))
    sections.append(("What cannot be made", "Tomcat, jack and the other programs of 2004 are not in `workloads`; "
                                            "javac of this JDK is in "
                     "[reports/ptql.md](../ptql.md). Table 1 lists the programs."))
    least = [ratio(at(program, "queries", check), at(program, "queries", "bare"), "cpu_s")
             for program in ours["programs"].values() for check in theirs["table2"]["rows"]]
    numbers = [value for value in least if isinstance(value, float)]
    return page(theirs, [
        f"The eight queries of the report take {text_of(min(numbers))} to {text_of(max(numbers))} times a program's "
        f"processor time here."
        if numbers else "No query was measured.",
        "The report's worst cells were 160 times, and two that did not end.",
        "With `--without` each part of the engine can be left out; the answers are the same."], sections, ours, {})


ENGINES_HOW = "processor time and memory of a whole process by those without Copse"


def engines(ours):
    def of(engine, key):
        return lambda program: ratio(at(program, "trees", engine), at(program, "trees", "bare"), key)

    return by_program(ours, [("inline, time", of("inline", "cpu_s")), ("parallel, time", of("parallel", "cpu_s")),
                             ("uptree, time", of("uptree", "cpu_s")), ("inline, memory", of("inline", "peak_mib")),
                             ("parallel, memory", of("parallel", "peak_mib")), ("uptree, memory", of("uptree",
                                                                      "peak_mib")),
                             ("contexts", lambda p: at(p, "trees", "parallel", "report_totals", "contexts"))])


def geometric(ours, engine):
    found = [ratio(at(program, "trees", engine), at(program, "trees", "bare"), "cpu_s")
             for program in ours["programs"].values()]
    numbers = [value for value in found if isinstance(value, float)]
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else None


def binder(ours, theirs, record):
    warm = [on_record(record, "cost-packets", name) for name in ("app-parallel", "app-inline")]
    return page(theirs, [
        f"A tree built from packets by worker threads takes {text_of(geometric(ours, 'parallel'))} times the "
        f"processor time here; the "
        f"paper has {theirs['overhead']['factor']} times the time, with cores to spare.",
        f"A tree that the probes build themselves takes {text_of(geometric(ours, 'inline'))}, which is why it is "
        f"the default.",
        "Both have every call, and the same contexts."],
        [("Overhead", both(theirs["overhead"]["where"], f"{theirs['overhead']['factor']} times the time; "
                                                        f"{theirs['overhead']['memory']}",
                           engines(ours), ENGINES_HOW) +
          f"\n\nOn record, geometric means once warm: parallel {text_of(warm[0])}, inline {text_of(warm[1])}."),
         ("By number of threads", "From one thread of the program with one worker to eight with eight, on 16 cores, a call takes "
                                  "3.5 to 6.2 times less wall time: [fold-scaling.txt](../fold-scaling.txt) has the engine "
                                  "alone, fed with recorded and made-up calls."),
         ("What cannot be made", "Slowdown of whole programs by number of cores, and by size of packets: this machine's cores are "
                                 "few. `--engine parallel:workers=N:packet=N` sets both.")],
        ours, record, ["cost-packets"])


def uptrees(ours, theirs, record):
    def replay(name, key):
        return lambda program: at(encoder(program, name), "time", key)

    replayed = by_program(ours, [(f"{title}, ns a {what}", replay(name, f"{what}_ns")) for what in ("call", "token")
                                 for title, name in (("uptree", "uptree"), ("CCT", "cct"))])
    return page(theirs, [
        f"With calls counted in each context, uptrees take {text_of(geometric(ours, 'uptree'))} times the time "
        f"here; the paper's {theirs['overhead']['factor']} "
        "is of rare events, for which nodes are made only then.",
        f"Replayed with tokens at each n-th call alone, an uptree costs {extent(ours, replay('uptree', 'call_ns'))} "
        f"ns a call "
        f"and a tree {extent(ours, replay('cct', 'call_ns'))} ns; a token costs "
        f"{extent(ours, replay('uptree', 'token_ns'))} ns "
        f"and {extent(ours, replay('cct', 'token_ns'))} ns.",
        "That is the paper's trade: calls are cheap, and events pay."],
        [("Every call counted", both(theirs["overhead"]["where"], f"{theirs['overhead']['factor']} times the time; "
                                                                  f"{theirs['overhead']['memory']}",
                                     engines(ours), ENGINES_HOW)),
         ("Events that are rare", "Nanoseconds of a replayed call, and of a token:\n\n" + replayed),
         ("What cannot be made", "The paper's client analyses (data races, leaks) are not here. Its figures of a "
                                 "research JVM, in which the "
          "compiler makes the stores and the collector merges nodes, have no counterpart in HotSpot.")],
        ours, record)


PAGES = {"luce": luce, "rcce": rcce, "deltapath": deltapath, "dacce": dacce, "ptql": ptql, "binder": binder,
         "uptrees": uptrees}


def all_pages(ours, theirs, record):
    return {name: make(ours, theirs[name], record) for name, make in PAGES.items()}
