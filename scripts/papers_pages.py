"""Pages of scripts/papers: each table and figure of a paper beside the same figures of our programs, in its units.

A page is a function of `ours`, what papers_measured.measure() returned, of `theirs`, the paper's part of papers.json,
and of `record`, results that stand in reports/data (papers_record.py). A figure that is not there is `not measured`."""

import re

from papers_record import (beyond_word, chance, collisions, deltapath_verdict, differing, on_record, published, streams_of,
                           tokens_of, withheld_of)
from papers_tables import (ABOVE_REPLAY, NOT_MEASURED, at, between, both, by_program, decodes, encoder, extent, geometric, how_measured, live,
                           live_columns, not_negative, one_more, page, ratio, short, sizes, stack_of, table, text_of,
                           their_rows, words_of)


def pcce(ours, theirs, record):
    warm = text_of(on_record(record, "ids", "app-pcce"))
    stacks = by_program(ours, [
        ("max. ID", lambda p: short(at(encoder(p, "pcce-literal"), "facts", "max_id"))),
        ("stack max.", stack_of("pcce-literal", "max")), ("stack avg.", stack_of("pcce-literal", "mean")),
        ("deepest call", lambda p: at(p, "trace", "stream", "max_depth")),
        ("ns to decode", lambda p: at(encoder(p, "pcce-literal"), "time", "decode_ns"))])
    return page(theirs, [
        f"PCCE as its abstract and the papers of RCCE, Luce and DeltaPath describe it (`pcce-literal`) "
        f"{decodes(ours, 'pcce-literal')} of this page right, and on the streams of [encoders.md](../encoders.md), "
        f"whose graphs are known, {published(record, 'pcce-literal')}: every context decodes, as claimed.",
        "Where an entry names the call site alone, the dummy edge at back edges is needed: without it, "
        f"{published(record, 'pcce-no-dummy-edge')}.",
        "Three texts say that PCCE cannot handle methods that the graph lacks (DeltaPath, section 1; the slides of DACCE; Luce, "
        "section 7); none says what it does at such a call. Ours pushes. With a fifth withheld: "
        f"{published(record, 'pcce-literal', 'withheld')}; our form: {published(record, 'pcce', 'withheld')}.",
        f"Our live form, in pieces, takes {warm} times the time on record; the paper's 1.89 % are of other programs."],
        [("Time", both(theirs["time"]["where"], theirs["time"]["text"] + ".", by_program(ours, live_columns("pcce")),
                       "in pieces, as a JVM runs it, with the graph of an earlier run") +
          f"\n\nOn record, geometric mean: {warm}."),
         ("Ids and stacks", both(theirs["storage"]["where"], theirs["storage"]["text"] + ".", stacks, "`pcce-literal`") +
          "\n\nEntries are those below the current one; means are over the tokens taken."),
         ("Memory", "Theirs (Table 1 of the paper of Luce): 0, a guess of Luce's authors.\n\nOurs; decoding "
          "needs the graph:\n\n" + sizes(ours, "pcce-literal")),
         ("What cannot be made", "The paper's programs are not here. Its use of the stack's depth is not built "
                                 "([encodings.md](../../docs/encodings.md#what-is-not-built)).")])


def pcc(ours, theirs, record):
    def contexts(program):
        found = at(encoder(program, "pcc32"), "precision")
        return None if found is None else found["contexts"] - found["collisions"]

    warm = text_of(on_record(record, "ids", "app-pcc"))
    told = by_program(ours, [
        ("contexts by PCC", contexts), ("contexts", lambda p: at(encoder(p, "pcc32"), "precision", "contexts")),
        ("collisions", lambda p: at(encoder(p, "pcc32"), "precision", "collisions")),
        ("expected by chance", lambda p: at(encoder(p, "pcc32"), "precision", "expected_collisions"))])
    found = [at(program, "trace", "encoders", "pcc32", "precision") for program in ours["programs"].values()]
    seen = sum(one["collisions"] for one in found if one)
    return page(theirs, [
        f"A hash of 32 bits (`pcc32`) has {seen} collisions among this page's contexts and "
        f"{collisions(record, 'pcc32')} on the {len(streams_of(record))} streams of [encoders.md](../encoders.md), where chance gives "
        f"{chance(record)} at most; one of 64 bits has {collisions(record, 'pcc64')}. For scimark.fft.large the paper of DeltaPath has 65 "
        "encodings of PCC and 101 of DeltaPath, whose encodings include its stack: \"due to hash collisions\" (section 6.3), which "
        "chance does not explain.",
        f"Our live form takes {warm} times the time on record. The paper's 3 % are of Jikes RVM, whose compiler joins "
        "the additions of inlined methods; an agent cannot.",
        "Nothing decodes, except by the search of Breadcrumbs."],
        [("Time", both(theirs["overhead"]["where"], theirs["overhead"]["text"] + ".",
                       by_program(ours, live_columns("pcc"))) + f"\n\nOn record, geometric mean: {warm}."),
         ("Contexts told apart",
          f"Theirs ({theirs['contexts']['where']}): [columns of its page](deltapath.md#table-2-contexts-and-stacks).\n\n"
          f"Ours, `pcc32`:\n\n{told}"
          "\n\nContexts are those of the tokens taken."),
         ("Memory", "Theirs (Table 1 of the paper of Luce): 0. Ours: 0; a token has 4 bytes (`pcc32`) or 8."),
         ("What cannot be made", "The paper's clients are not here, nor is Jikes RVM.")])


def breadcrumbs(ours, theirs, record):
    def figure(name, *path):
        return lambda program: at(encoder(program, name), *path)

    def call_ns(name):
        return lambda program: not_negative(figure(name, "time", "call_ns")(program))

    time = by_program(ours, [(f"{name}, ns a call", call_ns(name)) for name in ("breadcrumbs", "pcc32")])
    decoding = by_program(ours, [
        ("tokens", figure("breadcrumbs", "precision", "tokens")),
        ("decoded", figure("breadcrumbs", "precision", "decoded")),
        ("wrong", figure("breadcrumbs", "precision", "wrong")),
        ("undecodable", figure("breadcrumbs", "precision", "undecodable")),
        ("of these, given up at the limit", figure("breadcrumbs", "precision", "given_up")),
        ("ns to decode", figure("breadcrumbs", "time", "decode_ns")),
        ("ns to decode, uptree", figure("uptree", "time", "decode_ns"))])
    return page(theirs, [
        "The abstract has \"10% to 20% runtime overhead, depending on a tunable parameter\", and reconstruction fails \"in some "
        "cases\".",
        f"A search (`breadcrumbs`) {decodes(ours, 'breadcrumbs')} of this page, and on the beginnings of the streams "
        f"of [encoders.md](../encoders.md): {published(record, 'breadcrumbs')}. It is never wrong here, since an "
        "answer counts only if it is the one that there can be.",
        f"Replayed, a call costs {extent(ours, call_ns('breadcrumbs'))} ns beside {extent(ours, call_ns('pcc32'))} ns "
        "of PCC's hash alone; all sites record, which others cite as twice the time in the "
        "mean.",
        f"A context takes {extent(ours, figure('breadcrumbs', 'time', 'decode_ns'))} ns to decode in the mean, and "
        "the search is limited by steps, not by 5 seconds; there is no live form."],
        [("Time", both(theirs["overhead"]["where"], theirs["overhead"]["text"] + ".", time,
                       "replayed; all sites record") + f"\n\n{ABOVE_REPLAY}"),
         ("Decoding", both(theirs["decoding"]["where"], theirs["decoding"]["text"] + ".", decoding)),
         ("Memory", both(theirs["memory"]["where"], theirs["memory"]["text"] + ".", sizes(ours, "breadcrumbs")) +
          "\n\nTables are the graph and what sites recorded."),
         ("What cannot be made", "A live form: the paper's is in Jikes RVM, whose compiler finds the graph. Its "
                                 "clients (detectors of bugs) are not here. The search is our own "
                                 "([encodings.md](../../docs/encodings.md)).")])


def deltapath(ours, theirs, record):
    def facts(*path):
        return lambda program: short(at(encoder(program, "deltapath-literal"), *path))

    static = by_program(ours, [(title, facts("facts", key)) for title, key in (
        ("nodes", "nodes"), ("edges", "edges"), ("call sites", "call_sites"),
        ("virtual call sites", "virtual_call_sites"), ("back edges", "back_edges"), ("max. ID", "max_id"),
        ("anchors", "anchors"))])
    dynamic = by_program(ours, [
        ("max. depth", lambda p: at(p, "trace", "stream", "max_depth")),
        ("avg. depth", lambda p: at(p, "trace", "stream", "mean_depth")),
        ("contexts by PCC", lambda p: None if encoder(p, "pcc32") is None else
            at(encoder(p, "pcc32"), "precision", "contexts") - at(encoder(p, "pcc32"), "precision", "collisions")),
        ("contexts by DeltaPath", facts("precision", "contexts")),
        ("stack max.", lambda p: one_more(at(encoder(p, "deltapath-literal"), "stack", "max"))),
        ("stack avg.", lambda p: one_more(at(encoder(p, "deltapath-literal"), "stack", "mean"))),
        ("UCP max.", facts("stack", "unexpected_max")), ("UCP avg.", facts("stack", "unexpected_mean")),
        ("max. ID", facts("facts", "max_id_seen"))])
    withheld = by_program(ours, [
        (f"{name}, {title}", lambda p, name=name, path=path: at(p, "trace", "withheld", name, *path))
        for name in ("deltapath-literal", "deltapath-tracking")
        for title, path in (("UCP max.", ("stack", "unexpected_max")), ("UCP avg.", ("stack", "unexpected_mean")),
                            ("unexpected calls", ("facts", "unexpected_calls")))])
    figure = theirs["figure8"]
    slower = figure["deltapath_percent"]
    if_time, if_speed = text_of(1 + slower / 100), text_of(1 / (1 - slower / 100))
    words = (f"DeltaPath has {slower} % slowdown in the geometric mean without call path tracking and "
             f"{figure['tracking_percent']} % more with it; {figure['most']}. PCC has {figure['pcc']}.")
    warm = [text_of(on_record(record, "ids", name)) for name in ("app-deltapath", "app-pcc")]
    time = by_program(ours, live_columns("deltapath", "pcc"))
    time += f"\n\nOn record, geometric means: deltapath {warm[0]}, pcc {warm[1]}."
    return page(theirs, [
        f"DeltaPath as published (`deltapath-literal`) {decodes(ours, 'deltapath-literal')} of the programs of this "
        "page, whose graph is that of the run itself.",
        f"On the streams of [encoders.md](../encoders.md): {published(record, 'deltapath-literal')}. The text reruns the "
        "analysis at an overflow; Algorithm 2 as printed keeps which sites it has processed "
        f"(`deltapath-literal-kept`): {published(record, 'deltapath-literal-kept')}.",
        f"With a fifth of the methods withheld: {withheld_of(record, 'deltapath-literal')}. Sites that share targets share a set "
        "id, and the record of a pending call may name a method that has returned. Our form: "
        f"{withheld_of(record, 'deltapath')}. Methods that threads enter are known there. Withheld as others are, they make a "
        f"difference on {len(differing(record))} streams only, of {words_of([text_of(n) for n in differing(record)])} tokens, which says little. "
        "Methods are drawn one by one; a class loader brings whole classes.",
        f"Our live form, in pieces, takes {warm[0]} times the time on record; the paper has \"{slower} % slowdown\" without call path "
        f"tracking, which is {if_time} times the time, or {if_speed} if speed is meant, and {figure['tracking_percent']} % more with it; with "
        "it less than 6.5 % for 11 of 15 benchmarks."],
        [("Table 1: the call graph, before the run",
          both(theirs["table1"]["where"] + ", application; " + theirs["table1"]["anchors"],
               their_rows(theirs["table1"], "application"), static, "`deltapath-literal`") +
          "\n\nOur graph has the calls that the run makes, theirs those that a static analysis thinks possible. Our edges "
          "are call sites with a callee, so they are as many as sites at least; the paper has fewer edges than sites in this "
          "setting. One "
          "anchor is the entry alone. Sizes in bytes and the setting with all of the JDK are not made here."),
         ("Figure 8: time", both(figure["where"], words, time)),
         ("Table 2: contexts and stacks",
          both(theirs["table2"]["where"], their_rows(theirs["table2"]), dynamic, "`deltapath-literal` and `pcc32`") +
          "\n\nStacks have the entry of the program, as the paper's have. The largest ID is that of a token. Ours are "
          "contexts of the tokens taken (each n-th call), theirs all at entries. UCPs, unexpected call paths, are 0 "
          "because the graph is the run's."),
         ("Table 2: unexpected call paths", "With a fifth of the methods withheld from the graph, entries known:\n\n" +
          withheld)])


def rcce(ours, theirs, record):
    def stack(name, key):
        return lambda program: at(encoder(program, name), "stack", key)

    stacks = by_program(ours, [(f"{name}, {key}", stack(name, "max" if key == "max." else "mean")) for key in
                               ("max.", "avg.") for name in ("pcce-literal", "rcce-literal")] +
                        [(f"{name}, pushes", lambda p, name=name: at(encoder(p, name), "facts", "pushes"))
                         for name in ("pcce-literal", "rcce-literal")] +
                        [("deepest call", lambda p: at(p, "trace", "stream", "max_depth"))])
    warm = [text_of(on_record(record, "ids", name)) for name in ("app-pcce", "app-rcce")]
    time = by_program(ours, live_columns("pcce", "rcce"))
    merged = [name for name, p in ours["programs"].items()
              if at(p, "runs", "inline", "report_totals", "merged_methods")]
    time += ("\n\nBoth are in pieces, as a JVM runs them, with the same graph" +
             (f"; that of {words_of(merged)} is a report whose recursion is merged and lacks calls that recurse, which "
              "push in both" if merged else "") +
             f". On record, geometric means: pcce {warm[0]}, rcce {warm[1]}.")
    percents = table(["least, mean, most", "PCCE", "RCCE", "RCCE-"],
                     [[name, *("{:+.1f} %, {:+.1f} %, {:+.1f} %".format(*theirs["time"][key][scheme])
                               for scheme in ("pcce", "rcce", "rcce-"))]
                      for name, key in (("DaCapo", "dacapo_percent"), ("SPECjvm2008", "specjvm_percent"))])
    percents += f"\n\n{theirs['time']['methods']} {theirs['time']['repeated']}"
    pairs = {name: (live(p, "pcce"), live(p, "rcce")) for name, p in ours["programs"].items()}
    beside = [f"{ours_rcce / pcce:.2f} in {name}" for name, (pcce, ours_rcce) in pairs.items()
              if isinstance(pcce, float) and isinstance(ours_rcce, float)]
    depths = record.get("depth") or [["depth"]]
    pushes = {name: [at(encoder(p, scheme), "facts", "pushes") or 0 for scheme in ("rcce-literal", "pcce-literal")]
              for name, p in ours["programs"].items()}
    often = [f"{name} ({rcce_pushes:,} pushes to {pcce_pushes:,})" for name, (rcce_pushes, pcce_pushes) in pushes.items()
             if rcce_pushes > pcce_pushes]
    return page(theirs, [
        f"RCCE has {extent(ours, stack('rcce-literal', 'max'))} entries on its stack at most, PCCE, which pushes at each "
        f"recursive call, {extent(ours, stack('pcce-literal', 'max'))}." +
        (f" The abstract's \"less frequent access of the stack\" fails in {words_of(often)}, where ids overflow." if often else ""),
        "Where an id overflows, section 2.4 stores the caller beside it (and goes on with the call's remainder, which would tell the "
        "call; section 3.1 resets to 1). Read so (`rcce-literal`), RCCE "
        f"{decodes(ours, 'rcce-literal')} of this page right; on the streams of [encoders.md](../encoders.md): "
        f"{published(record, 'rcce-literal')}. There the caller calls the method at several places, and nothing says at "
        "which; by methods alone, all would decode. Section 3.1's words push the id; its Figure 4(c) is not in the text "
        "at hand. With ids alone (`rcce-literal-id`): "
        f"{published(record, 'rcce-literal-id')}.",
        f"In pieces, as a JVM runs it, RCCE takes {words_of(beside)} times the time of PCCE; on record, whose programs "
        f"recurse less than `recursion`, {warm[1]} and {warm[0]} times the time without Copse."],
        [("Figures 8(b), 8(c), 10 and 11: entries on the stack",
          both(theirs["storage"]["where"], theirs["storage"]["text"] + ".", stacks) +
          "\n\nEntries are those below the current one; means are over the tokens taken. Pushes are those of all calls."),
         ("Figure 9: by depth of recursion",
          "Theirs (section 4.3): RCCE takes less time than PCCE from depth 5 to 178 of Xs and to 54 of Xpath, as much "
          "beyond. Ours, most entries on the stack for factorials (`scripts/papers_sweep depth`, from "
          "[encodings.md](../../docs/encodings.md)); its times are not on record:\n\n" + table(depths[0], depths[1:])),
         ("Figures 8(a), 12 and 13: time", both(theirs["time"]["where"], percents, time)),
         ("What cannot be made",
          "* Figures 6 and 7 (cost by depth of calls, eight methods of JDK 6 with random inputs): the methods are not "
          "in later JDKs as they were.\n"
          "* Time to decode: `rcce-literal` has changed since it was measured.\n"
          f"* Figure 13 (four repetitions): ours are medians of {ours['rounds']} runs, and so are those of "
          "`reports/data/ids.json`; neither has a spread.")])


def dacce(ours, theirs, record):
    def trace(*path):
        return lambda program: short(at(encoder(program, "dacce-stack"), *path))

    def calls_per_second(program):
        seconds, calls = at(program, "runs", "bare", "process_s"), at(program, "trace", "recorded_calls")
        return None if seconds is None or calls is None else round(calls / seconds)

    benchmarks = by_program(ours, [
        ("nodes", lambda p: at(p, "trace", "stream", "methods")),
        ("edges", lambda p: at(p, "trace", "stream", "edges")),
        ("max. ID, dacce-stack", trace("facts", "max_id")), ("depth, dacce-stack", trace("stack", "mean")),
        ("re-encodings, dacce-stack", trace("facts", "reencodings")), ("calls/s", calls_per_second)])
    time = by_program(ours, live_columns("dacce"))
    warm = text_of(on_record(record, "ids", "app-dacce"))
    free = by_program(ours, [("contexts collected", trace("facts", "collected")),
                             ("last call adds nothing", trace("facts", "collected_free"))])
    epochs = []
    for name, program in ours["programs"].items():
        epochs += [[name, epoch["trigger"], epoch["edges"], short(epoch["max_id"])]
                   for epoch in (at(encoder(program, "dacce-stack"), "epochs") or [])]
    their = [(row[4], row[3]) for row in theirs["benchmarks"]["rows"].values()]
    reencodings, depths = zip(*their)
    return page(theirs, [
        f"DACCE on the slides' stack (`dacce-stack`) {decodes(ours, 'dacce-stack')} of our programs right without a "
        f"graph before the run, as its authors claim; the slides leave steps open, so there is no published form here.",
        f"In a JVM (`dacce`, in pieces) it takes {warm} times the time on record; its authors have about 2 % more, for "
        "compiled programs, in which a call that adds 0 carries no code.",
        f"On the stack our programs are numbered again {extent(ours, trace('facts', 'reencodings'))} times (theirs "
        f"{min(reencodings)} to {max(reencodings)}), and {extent(ours, trace('stack', 'mean'))} entries are on it in the "
        f"mean (theirs {min(depths):.2f} to {max(depths):.2f})."],
        [("Benchmarks", both(theirs["benchmarks"]["where"], their_rows(theirs["benchmarks"]), benchmarks) +
          "\n\nNodes and edges are those of the events that were replayed. Depth is entries on the stack, a mean "
          "over tokens; each of several equal entries counts, which the slides compress. They do not explain "
          "their depth. Calls a second are those of the whole run, by the time that it takes without Copse."),
         ("Runtime overhead", both(theirs["overhead"]["where"] + "; the slides' figure is not in the text at hand",
                                   theirs["overhead"]["text"], time) + f"\n\nOn record, geometric mean: dacce {warm}."),
         ("Adaptive encoding", "Theirs is a figure that is not in the text at hand. Ours, the last three re-encodings of each program "
                               "(`dacce-stack`):\n\n" + table(["program", "why", "edges", "max. ID"], epochs) +
          "\n\nThe hottest call of a method adds nothing, as Luce's paper says of DACCE. Of the contexts collected to tell "
          "hot calls, those whose last call adds nothing:\n\n" + free),
         ("Threads", "The slides say nothing of threads. Ours: the context in which a thread was created is kept once for "
                     "each thread, with every encoder, and `copse decode run.ids ID@THREAD` puts it in front. `copse "
                     "validate` compares it with the tree at each start.")])


def luce(ours, theirs, record):
    names = {"CCT": "inline", "parallel CCT": "parallel", "CCU (uptrees)": "uptree", "PCC": "pcc", "Breadcrumbs": None,
             "PCCE": "pcce", "DeltaPath": "deltapath", "DACCE": "dacce", "Luce": "luce"}

    def overview(*keys):
        def cell(program, how):
            figures = [text_of(live(program, how, key)) for key in keys]
            return NOT_MEASURED if NOT_MEASURED in figures else ", ".join(figures)

        return table(["", *ours["programs"]],
                     [[f"{name}: {how}" if how else name,
                       *("no live form" if how is None else cell(program, how) for program in ours["programs"].values())]
                      for name, how in names.items()])

    their_table = table(["", *theirs["table1"]["columns"]],
                        [[name, *row] for name, row in theirs["table1"]["rows"].items()])
    warm = text_of(on_record(record, "ids", "app-luce"))
    precision = by_program(ours, [
        (f"{name}, {key}", lambda p, name=name, key=key: at(encoder(p, name), "precision", key))
        for name in ("luce", "luce-literal") for key in ("tokens", "decoded", "wrong", "undecodable")])
    return page(theirs, [
        f"Luce as published (`luce-literal`) fails on the streams of [encoders.md](../encoders.md): "
        f"{published(record, 'luce-literal')}. {beyond_word(record)} Algorithm 1 takes the "
        "addition from counts that have grown with the call, so that an id can reach numCC of its own method, which the proof of "
        "Theorem 1 passes over.",
        "Calls from native code are not in these streams, and Theorem 1 does not speak of them. The record of the last call goes "
        "stale there, as a unit test shows.",
        f"Our repaired form (`luce`) {decodes(ours, 'luce')} of this page right, and takes {warm} times the time on record; "
        "the authors call theirs \"somewhat slower\" than the parallel CCT, which has 3.49 (section 7), and \"competitive\" (section "
        "8)."],
        [("Table 1: ways to have the context",
          both(theirs["table1"]["where"] + ": figures that others wrote of their own", their_table + "\n\n" +
               theirs["table1"]["notes"], overview("process_s", "cpu_s"),
               "one run: wall time, and processor time, of a whole process by those of the program alone") +
          "\n\nTrees are runs of `copse run --measure calls`, ids of `copse ids --encoder NAME`, all of the same "
          "command."),
         ("The same, memory", "Largest process, times that of the program alone:\n\n" + overview("peak_mib")),
         ("The same, long runs on record", "Geometric means of iterations' time. Each row is a run of its own day and "
          "programs, by those programs without Copse in that run; rows are not comparable:\n\n" +
          long_runs(record, names)),
         ("Figure 5: overhead", f"Theirs ({theirs['figure5']['where']}): {theirs['figure5']['text']}.\n\nOurs: the "
                                "rows of Luce above. By the share of classes that have probes, beside other encoders: "
                                f"{by_share(record.get('papers-share-fop'))}"),
         ("Are ids right?", precision + f"\n\nOn the longer streams: `luce` {published(record, 'luce', 'validate')}."),
         ("What cannot be made", "The paper's programs are those of DaCapo; ours are from Debian's packages.")])


def long_runs(record, names):
    rows = [[f"`{file}.json`, {record[file]['when']}, {len(record[file]['programs'])} programs",
             *(text_of(found) if (found := on_record(record, file, f"app-{how}")) else "" for how in names.values() if how)]
            for file in ("ids", "cost-packets", "cost") if file in record]
    return table(["run", *(how for how in names.values() if how)], rows)


def by_share(swept):
    """Slowdown by the share of a program's classes that have probes, of scripts/papers_sweep."""
    if swept is None:
        return NOT_MEASURED + "."
    encoders = list(next(iter(swept["shares"].values()))["slowdown"])
    rows = [[f"{float(share):.0%}", f"{figures['share_of_calls']:.0%}",
             *(f"{figures['slowdown'][name]:.2f}" for name in encoders)] for share, figures in swept["shares"].items()]
    slowdowns = [figures["slowdown"] for figures in swept["shares"].values()]
    falls = [1 - after[name] / before[name] for before, after in zip(slowdowns, slowdowns[1:]) for name in encoders]
    noise = f"; values are off by {max(falls):.0%} or more: some fall where more classes have probes" if max(falls, default=0) > 0 else ""
    return (f"time of {swept['program']}'s whole process, divided by that without Copse{noise}.\n\n" +
            table(["classes", "of all calls", *encoders], rows))


LIMIT = 20  # answers after which a query of checks/ is at rest


def did_not_end(rows):
    return sum(value is None for row in rows.values() for value in row)


def ptql(ours, theirs, record):
    def theirs_of(part):
        return table(["query", *theirs["programs"]], [[name, *("did not end" if value is None else value
                                                               for value in row)]
                                                      for name, row in theirs[part]["rows"].items()])

    checks = theirs["table2"]["rows"]
    javac = record.get("javac") or {}

    def cell(program, check, key):
        return ratio(at(program, "queries", check), at(program, "queries", "bare"), key)

    def ours_of(key):
        return table(["query", *ours["programs"]],
                     [[check, *(cell(program, check, key) for program in ours["programs"].values())]
                      for check in checks])

    place = theirs["programs"].index("javac")
    stopped = [check for check in checks if javac.get(check, (0, 0))[1] >= LIMIT]
    on_javac = table(["query", "report", "Copse", "answers"],
                     [[check, "did not end" if row[place] is None else row[place],
                       *((None, None) if check not in javac else
                         (javac[check][0], f"{javac[check][1]}, then at rest" if check in stopped else javac[check][1]))]
                      for check, row in checks.items()])
    cells = [value for row in checks.values() for value in row]
    ended = [value for value in cells if value is not None]
    near = sum(0.9 <= value <= 1.1 for value in ended)
    bare = [at(program, "queries", "bare", "process_s") for program in ours["programs"].values()]
    long = between([seconds for seconds in bare if seconds is not None], digits=1) + " s"
    answers = sum(at(program, "queries", check, "answers") or 0 for program in ours["programs"].values()
                  for check in checks)
    sections = [
        ("javac", "Time of a whole process by that without a query, theirs with the javac of JDK 1.0.2 and, on another machine "
                  "and other sources, ours ([reports/ptql.md](../ptql.md): eight frames of the stack for each answer). Our "
                  "checks leave out what libraries do; those of hash codes have been narrowed since. The paper's chain of string-concats is of "
                  "constructors (section 4.2), ours follows `append`, too.\n\n" +
         on_javac +
         (f"\n\nOur queries stop at {LIMIT} answers, the report's do not. {words_of(stopped)} came to that, so these times "
          "are not to be compared." if stopped else "")),
        ("Table 2: time, times that without a query",
         both(theirs["table2"]["where"] + "; wall time", theirs_of("table2"), ours_of("cpu_s"),
              "processor time of the program and the command together") +
         f"\n\nOur programs run for {long}, so the probes' start is a part of it. Queries run without their "
         "`LIMIT`, with `--frames 0`. In classes for Java 9 and later, such as recursion's, `+` makes no builder, so that "
         "string-concats has little to follow there."),
        ("Table 3: memory, times that without a query",
         both(theirs["table3"]["where"] + "; heap, sampled every 500 ms", theirs_of("table3"), ours_of("peak_mib"),
              "the largest process, the program's or the command's, which keeps the records"))]
    asked = [(name, check, parts) for name, each in ours["ablation"].items() for check, parts in each.items()]
    same, different, columns = [], [], []
    for name, check, parts in asked:
        found = {run.get("answers") for run in parts.values() if "why_not" not in run}
        (same if len(found) == 1 else different).append(f"{check} on {name} ({text_of(parts[''].get('answers'))})")
        columns += [f"{name}, s", f"{name}, memory"]
    rows = [[part or "nothing", *(figure for _, _, parts in asked for figure in
                                  (parts[part].get("why_not", parts[part].get("cpu_s")),
                                   None if "why_not" in parts[""] else ratio(parts[part], parts[""], "peak_mib")))]
            for part in (asked[0][2] if asked else [])]
    sections.append(("Figures 10 and 11: parts left out",
                     f"Theirs ({theirs['ablation']['where']}, on tomcat): {theirs['ablation']['text']}.\n\nOurs, with "
                     f"`--without`, for {words_of([f'{check} on {name}' for name, check, _ in asked])}: processor time, and "
                     "the largest process, times that of the run with all parts:\n\n" + table(["without", *columns], rows)))
    sections.append(("What cannot be made", "Tomcat, jack and the other programs of 2004 are not in `workloads`. Table "
                                            "1 lists the programs."))
    numbers = [value for program in ours["programs"].values() for check in checks
               if isinstance(value := cell(program, check, "cpu_s"), float)]
    ended_here = [check for check in checks if check in javac and check not in stopped]
    large = [check for check in ended_here if checks[check][place] is None or checks[check][place] > 10]
    pairs = [f"{check} takes {text_of(javac[check][0])} times the time (theirs "
             f"{'did not end' if checks[check][place] is None else text_of(float(checks[check][place]))})" for check in large]
    rest = [javac[check][0] for check in ended_here if check not in large]
    others = f"; of the others that ran to their end, {between(rest)}" if rest else ""
    dear = [f"{check} {text_of(value)} on {name}" for name, program in ours["programs"].items() for check in checks
            if isinstance(value := cell(program, check, "cpu_s"), float) and value > 1.5]
    return page(theirs, [
        f"On javac (another machine, javac, sources and query), {words_of(pairs)}{others}." if pairs else "javac was not measured.",
        f"Most of the report's cells are about 1: {near} of {len(cells)} are 0.90 to 1.10, and {did_not_end(checks)} "
        "did not end: \"with the exception of a few outliers, the overheads are acceptable\" (section 4.3). Theirs "
        "is wall time and sampled heap, on a Pentium IV.",
        (f"On programs of {long} the eight queries take {between(numbers)} times the processor time; values below 1 are "
         f"noise, and above 1.5 are {words_of(dear)}." if numbers else "No query was measured here."),
        f"They gave {answers:,} answers. That answers "
        "are the same with parts of the engine left out is tested by `tests/property/ptql`" +
        (f"; here it is so for {words_of(same)}" if same else "") +
        (f", and not for {words_of(different)}" if different else "") + "."], sections)


def engine_times(ours, *engines):
    return by_program(ours, [(f"{engine}, {what}", lambda p, engine=engine, key=key: live(p, engine, key))
                             for what, key in (("processor", "cpu_s"), ("wall", "process_s"), ("memory", "peak_mib"))
                             for engine in engines])


def engine_totals(ours):
    """Counts in each engine's report of the same program."""
    rows = []
    for name, program in ours["programs"].items():
        for engine in ("inline", "parallel", "uptree"):
            totals = at(program, "runs", engine, "report_totals") or {}
            merged = totals.get("merged_methods")
            rows.append([name, engine, totals.get("calls"), totals.get("calls_lost"), totals.get("contexts"),
                         f"{merged} methods, from depth {totals.get('merged_depth_at_least')}" if merged else "no"])
    return table(["program", "engine", "calls", "lost", "contexts", "recursion merged"], rows)


ENGINES_HOW = "times those of the program alone"


def lost_calls(ours):
    lost = [at(program, "runs", engine, "report_totals", "calls_lost") for program in ours["programs"].values()
            for engine in ("inline", "parallel")]
    known = [value for value in lost if value is not None]
    return f"{sum(known):,} calls were lost" if known else "No engine was measured"


def binder(ours, theirs, record):
    warm = [text_of(on_record(record, "cost-packets", run)) for run in ("app-parallel", "app-inline")]
    walls = {name: [live(p, engine) for engine in ("parallel", "inline")] for name, p in ours["programs"].items()}
    faster = [f"{name} ({text_of(parallel)} to {text_of(inline)})" for name, (parallel, inline) in walls.items()
              if isinstance(parallel, float) and isinstance(inline, float) and parallel < inline]
    return page(theirs, [
        f"A tree built from packets by worker threads takes {text_of(geometric(ours, 'parallel', 'process_s'))} times "
        f"the wall time and {text_of(geometric(ours, 'parallel'))} times the processor time of our programs; the paper "
        f"has {theirs['overhead']['factor']} times the time (its runtime, on other programs and cores).",
        f"A tree that the probes build themselves takes {text_of(geometric(ours, 'inline', 'process_s'))} and "
        f"{text_of(geometric(ours, 'inline'))}, which is why it is the default." +
        (f" The parallel one is faster by wall time in {words_of(faster)}." if faster else ""),
        "The paper's abstract has \"more than 110% faster than a primitive, non-parallel approach\", \"when more than two cores are "
        "available\", which two cores cannot test.",
        f"{lost_calls(ours)}; the second table has the calls and contexts of each."],
        [("Overhead", both(theirs["overhead"]["where"], f"{theirs['overhead']['factor']} times the time; "
                                                        f"{theirs['overhead']['memory']}",
                           engine_times(ours, "inline", "parallel"), ENGINES_HOW) +
          f"\n\nOn record, geometric means of one run: parallel {warm[0]}, inline {warm[1]}."),
         ("Are the trees the same?", engine_totals(ours) +
          "\n\nEach row is a run of its own, and programs differ a little from run to run. A method too large for an engine's probes, "
          "such as one of fop's for those of packets, is among a report's `skipped`. Where recursion is merged, "
          "calls below that depth are counted in the context of an earlier call of the method."),
         ("By number of threads", "From one thread of the program with one worker to eight with eight, on 16 cores, a "
                                  "call takes 3.5 to 6.2 times less wall time: [fold-scaling.txt](../fold-scaling.txt) "
                                  "has the engine alone, fed with recorded and made-up calls."),
         ("What cannot be made", "Slowdown of whole programs by number of cores, and by size of packets: this machine "
                                 "has two cores. `--engine parallel:workers=N:packet=N` sets both.")])


def uptrees(ours, theirs, record):
    def replay(name, key):
        return lambda program: at(encoder(program, name), "time", key)

    def call_ns(name):
        return lambda program: not_negative(replay(name, "call_ns")(program))

    replayed = by_program(ours, [(f"{name}, ns a call", call_ns(name)) for name in ("uptree", "cct")] +
                          [(f"{name}, ns a token", replay(name, "token_ns")) for name in ("uptree", "cct")])
    return page(theirs, [
        f"With calls counted in each context, uptrees take {text_of(geometric(ours, 'uptree', 'process_s'))} times the "
        f"wall time here and {text_of(geometric(ours, 'uptree'))} times the processor time.",
        f"The paper's text is not at hand: {theirs['overhead']['factor']} is from the table in Luce's paper, which "
        "does not say for which events, so the two cannot be compared.",
        f"Replayed with tokens at each n-th call alone, calls cost an uptree nothing that can be measured, and a tree "
        f"{extent(ours, call_ns('cct'))} ns; a token costs {extent(ours, replay('uptree', 'token_ns'))} ns and "
        f"{extent(ours, replay('cct', 'token_ns'))} ns: calls are cheap, and events pay."],
        [("Every call counted", both(theirs["overhead"]["where"], f"{theirs['overhead']['factor']} times the time; "
                                                                  f"{theirs['overhead']['memory']}",
                                     engine_times(ours, "inline", "uptree"), ENGINES_HOW)),
         ("Events that are rare", "Nanoseconds of a replayed call, and of a token; `cct` is the tree.\n\n" + replayed +
          f"\n\n{ABOVE_REPLAY}"),
         ("What cannot be made", "The paper's client analyses (data races, leaks) are not here. It needs "
                                 "\"extensive modifications to the runtime environment\" (section 1 of Luce's paper), "
                                 "which an agent cannot make.")])


PAGES = {"pcce": pcce, "pcc": pcc, "breadcrumbs": breadcrumbs, "luce": luce, "rcce": rcce, "deltapath": deltapath, "dacce": dacce, "ptql": ptql, "binder": binder,
         "uptrees": uptrees}


def summary(ours, theirs, record):
    """The page README.md: a row for each paper."""
    def time(file, configuration):
        return f"{text_of(on_record(record, file, configuration))} times the time on record"

    def lost(name, step="literal"):
        return re.sub(r" (of )?[\d,]+ tokens(, on .*)?", "", published(record, name, step))

    javac = record.get("javac") or {}
    ended = [javac[check][0] for check in theirs["ptql"]["table2"]["rows"] if check in javac and javac[check][1] < LIMIT]
    largest = max(value for row in theirs["ptql"]["table2"]["rows"].values() for value in row if value is not None)
    uptree = text_of(geometric(ours, "uptree", "process_s"))
    most = max(((value, name) for name, program in ours["programs"].items() for check in theirs["ptql"]["table2"]["rows"]
                if isinstance(value := ratio(at(program, "queries", check), at(program, "queries", "bare"), "cpu_s"), float)),
               default=(None, "other programs"))
    rows = {
        "pcce": (f"as other papers describe it: {lost('pcce-literal')}",
                 f"`pcce`: {lost('pcce', 'validate')}; {time('ids', 'app-pcce')}",
                 "known graph: holds; 1.89 %: not testable here"),
        "pcc": (f"a hash of 32 bits: {collisions(record, 'pcc32')} collisions, where chance gives {chance(record)} at most",
                f"`pcc`: {time('ids', 'app-pcc')}",
                "tells contexts apart: holds; 3 % in Jikes RVM: not testable here"),
        "breadcrumbs": ("no published form: the text is not at hand",
                        f"`breadcrumbs`: {lost('breadcrumbs')}",
                        "not every context decodes: holds; the time: not testable here"),
        "luce": (lost("luce-literal"),
                 f"`luce`: {lost('luce', 'validate')}; {time('ids', 'app-luce')}",
                 "ids: fails as published where a method calls itself; in 64 bits, a size that the paper does not set, most ids here "
                 "have no room; after calls from native code (unit test); holds repaired; the time: other programs"),
        "rcce": (f"entries with callers: {lost('rcce-literal')}; of ids alone: "
                 f"{lost('rcce-literal-id')}",
                 f"`rcce`: {lost('rcce', 'validate')}; {time('ids', 'app-rcce')}",
                 "few entries: holds; fewer accesses: not where ids overflow often; where one overflows, call sites decode unless the "
                 "caller calls the method at several places; the "
                 "time: not testable here, our live form is another"),
        "deltapath": (f"{lost('deltapath-literal')}; a fifth of the methods withheld: "
                      f"{lost('deltapath-literal', 'withheld')}",
                      f"`deltapath`: {lost('deltapath', 'validate')}, a fifth withheld: "
                      f"{lost('deltapath', 'withheld')}; {time('ids', 'app-deltapath')}",
                      deltapath_verdict(record)),
        "dacce": ("no published form: the slides leave steps open",
                  f"`dacce-stack`: {lost('dacce-stack', 'validate')}; `dacce`: {time('ids', 'app-dacce')}",
                  "ids: holds; 2 % of compiled programs: not testable here"),
        "ptql": (f"Partiqle is not at hand; in the report {did_not_end(theirs['ptql']['table2']['rows'])} cells did not "
                 f"end, and the largest is {text_of(largest)}",
                 f"javac, queries that ran to their end: {between(ended)} times the time; {most[1]}, all eight: at most {text_of(most[0])} times the "
                 "processor time" if ended else "not measured", "most cost little, a few more: holds"),
        "binder": ("`--engine parallel`, built from the description in Luce's paper",
                   f"{time('cost-packets', 'app-parallel')}; inline, same run: {time('cost-packets', 'app-inline')}",
                   "every call in its context: holds; the factors: other programs, and two cores"),
        "uptrees": ("`--engine uptree`, every call counted",
                    f"{uptree} times the time in the geometric mean of our programs",
                    "cheap calls: holds when replayed; 1.3: not testable here, its events are not known")}
    body = table(["paper", "claim", "as published, on our programs", "our form", "verdict"],
                 [[f"[{theirs[name]['title']}]({name}.md)", theirs[name]["claim"], *row] for name, row in rows.items()])
    return ("# Ten papers, beside Copse\n\n"
            "Each page has a paper's claims, and what tables and figures are at hand, beside the same of our programs. Of PCCE, PCC, "
            "Breadcrumbs, the parallel CCT and uptrees we have abstracts and what others cite. Cells count tokens of the 14 "
            "streams of [encoders.md](../encoders.md) that are lost, of "
            f"{tokens_of(record, 'literal', 'rcce-literal')} for published forms, Breadcrumbs and withheld methods "
            f"({tokens_of(record, 'literal', 'luce-literal')} for Luce as published), of {tokens_of(record, 'validate', 'luce')} for our forms.\n\n" +
            body.replace("|---|--:|--:|--:|--:|", "|---|---|---|---|---|") +
            f"\n\n## How they were measured\n\n{how_measured(ours, record)}\n")


def all_pages(ours, theirs, record):
    return {"README": summary(ours, theirs, record),
            **{name: make(ours, theirs[name], record) for name, make in PAGES.items()}}
