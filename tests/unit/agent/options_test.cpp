#include "agent/options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "agent/memory_bound.h"
#include "agent/stack_scale.h"

namespace copse::agent {
namespace {

std::string error_of(std::string_view text) {
  const Result<AgentOptions> options = parse_agent_options(text);
  return options.ok() ? "" : options.message();
}

TEST(AgentOptions, DefaultsNeedNoText) {
  const Result<AgentOptions> options = parse_agent_options("");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->out, "copse-%c-%p.json");
  EXPECT_FALSE(options->jdk);
  EXPECT_TRUE(options->sites);
  EXPECT_EQ(options->packet_slots, 4096u);
}

TEST(AgentOptions, WhatIsFormattedReadsBackEqual) {
  AgentOptions written;
  written.out = "/tmp/a,b\\c/%p.json";
  written.include = {"org.**", "a,b"};
  written.exclude = {"x.Y.z"};
  written.jdk = true;
  written.sites = false;
  written.engine = EngineKind::kUptree;
  written.workers = 3;
  written.packet_slots = 8;
  written.event_every = 100;
  written.memory_bytes = 123456789;
  written.snapshot_ms = 90'500;
  written.quiet = true;
  written.manifest = "/tmp/m";
  const std::string text = format_agent_options(written);
  const Result<AgentOptions> read = parse_agent_options(text);
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->out, written.out);
  EXPECT_EQ(read->include, written.include);
  EXPECT_EQ(read->exclude, written.exclude);
  EXPECT_EQ(read->snapshot_ms, written.snapshot_ms);
  EXPECT_EQ(read->manifest, written.manifest);
  EXPECT_EQ(format_agent_options(*read), text);
}

TEST(AgentOptions, EventsMayBeKeptInAFileAndProcessorTimeLookedAtMoreOften) {
  const std::string text =
      "encoder=segment,event=cpu,event=allocation=exact,cpu-interval=2ms,event-file=a,mark=b.C";
  const Result<AgentOptions> read = parse_agent_options(text);
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_TRUE(has_event(*read, "allocation=exact"));
  EXPECT_FALSE(has_event(*read, "allocation"));
  EXPECT_EQ(read->cpu_interval_ms, 2u);
  EXPECT_EQ(read->event_file, "a");
  EXPECT_EQ(format_agent_options(*read), text);
  EXPECT_NE(error_of("encoder=segment,event-file=a"), "");
  EXPECT_NE(error_of("encoder=pcc,mark=b.C,event-file=a"), "");
  EXPECT_NE(error_of("encoder=segment,event=id,cpu-interval=2ms"), "");
  EXPECT_NE(error_of("encoder=segment,event=cpu,cpu-interval=soon"), "");
  EXPECT_NE(error_of("encoder=segment,event=allocation,event=allocation=exact"), "");
}

TEST(AgentOptions, AReportCanBeAskedForWithFewerContextsWhereItHasAny) {
  EXPECT_EQ(parse_agent_options("")->max_contexts, std::nullopt);
  EXPECT_EQ(parse_agent_options("max-contexts=2,encoder=segment")->max_contexts, 2u);
  EXPECT_EQ(error_of("max-contexts=1"),
            "option max-contexts: '1' is not a whole number from 2 to 2147483648");
  EXPECT_EQ(error_of("record=a,max-contexts=9"),
            "option max-contexts: has no effect with record, which makes no report; give it to "
            "copse replay");
}

TEST(AgentOptions, AnOptionOfAnOlderCopseIsRefusedByItsNameOfToday) {
  EXPECT_EQ(error_of("engine=parallel,fold-recursion"),
            "option fold-recursion: is called recursion now");
  EXPECT_EQ(error_of("merge-recursion"), "option merge-recursion: is called recursion now");
  EXPECT_EQ(error_of("encoder=pcc,token-every=2"), "option token-every: is called check-every now");
}

TEST(AgentOptions, ATraceIsNamedByRecordAndMakesNoTree) {
  AgentOptions written;
  written.record = "a,b-%p.trace";
  const Result<AgentOptions> read = parse_agent_options(format_agent_options(written));
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->record, written.record);
  EXPECT_NE(error_of("record=t,no-sites"), "");
  EXPECT_NE(error_of("record=t,engine=uptree"), "");
  EXPECT_NE(error_of("record"), "");
}

EngineKind engine_in(std::string_view text) {
  const Result<AgentOptions> options = parse_agent_options(text);
  EXPECT_TRUE(options.ok()) << options.message();
  return engine_of(*options);
}

TEST(AgentOptions, WithoutABoundATreeGetsAQuarterOfTheMachine) {
  EXPECT_EQ(memory_bound(*parse_agent_options("memory=3M")), 3u << 20);
  const std::uint64_t none_named = memory_bound(*parse_agent_options(""));
  EXPECT_GE(none_named, std::uint64_t{1} << 30);
  EXPECT_LE(none_named, std::uint64_t{8} << 30);
}

TEST(AgentOptions, TheProbesBuildTheTreeUnlessAnOptionNeedsPackets) {
  EXPECT_EQ(engine_in(""), EngineKind::kInline);
  EXPECT_EQ(engine_in("jdk,no-sites,memory=2G"), EngineKind::kInline);
  EXPECT_EQ(engine_in("record=t"), EngineKind::kParallel);
  EXPECT_EQ(engine_in("workers=1"), EngineKind::kParallel);
  EXPECT_EQ(engine_in("packet=8"), EngineKind::kParallel);
  EXPECT_EQ(engine_in("packet=8,engine=uptree"), EngineKind::kUptree);
}

TEST(AgentOptions, WhatHasOneValueIsGivenOnce) {
  EXPECT_EQ(error_of("encoder=segment,encoder=pcc"), "option encoder: given more than once");
  EXPECT_EQ(error_of("include=a,include=b,jdk,jdk"), "");
}

TEST(AgentOptions, AnEncoderKeepsIdsAndBuildsNothing) {
  const Result<AgentOptions> read =
      parse_agent_options("encoder=segment,mark=a.B.*,mark=c\\,d,jdk");
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->encoder, "segment");
  EXPECT_EQ(read->marks, (std::vector<std::string>{"a.B.*", "c,d"}));
  EXPECT_EQ(format_agent_options(*read), "jdk,encoder=segment,mark=a.B.*,mark=c\\,d");
  EXPECT_EQ(error_of("encoder=cipher").find("option encoder: 'cipher' is not one of segment, "), 0);
  EXPECT_EQ(error_of("mark=a.B.*"), "option mark: needs encoder");
  for (const char* other :
       {"engine=inline", "no-sites", "workers=2", "record=t", "event-every=5"}) {
    EXPECT_NE(error_of(std::string("encoder=pcc,") + other), "") << other;
  }
}

TEST(AgentOptions, AStaticEncoderNeedsAGraphAndNoOtherDoes) {
  for (const std::string encoder : {"pcce", "deltapath", "rcce"}) {
    const Result<AgentOptions> read =
        parse_agent_options("encoder=" + encoder + ",graph=a\\,b.json");
    ASSERT_TRUE(read.ok()) << read.message();
    EXPECT_EQ(read->graph, "a,b.json");
    EXPECT_EQ(format_agent_options(*read), "encoder=" + encoder + ",graph=a\\,b.json");
    EXPECT_EQ(error_of("encoder=" + encoder),
              "option encoder: " + encoder +
                  " needs graph, the report of an earlier run or what copse graph wrote");
    EXPECT_EQ(error_of("encoder=" + encoder + ",graph=r,event=exception"), "");
  }
  for (const char* other : {"encoder=segment,graph=r", "encoder=pcc,graph=r", "graph=r"}) {
    EXPECT_EQ(
        error_of(other),
        "option graph: is for encoders that number before the run, pcce, deltapath, rcce, and "
        "for selective")
        << other;
  }
}

TEST(AgentOptions, ProbesAreSelectedByAGraphForMarksAndAskedIdsAlone) {
  for (const char* right :
       {"encoder=segment,graph=r,mark=a.B,selective", "encoder=pcc,graph=r,mark=a.B,selective",
        "encoder=pcce,graph=r,mark=a.B,selective,check-every=1",
        "encoder=luce,graph=r,event=id,selective",
        "encoder=segment,graph=r,event=id,mark=a.B,event-file=e,selective"}) {
    EXPECT_EQ(error_of(right), "") << right;
    EXPECT_TRUE(parse_agent_options(right)->selective);
  }
  EXPECT_FALSE(parse_agent_options("encoder=segment,mark=a.B")->selective);
}

TEST(AgentOptions, IdsAreCheckedOfEveryEncoderAndBesideWholePackets) {
  for (const char* right :
       {"encoder=segment,check-every=1", "encoder=pcc,check-every=7,mark=**,jdk",
        "encoder=pcce,graph=r.json,check-every=7,stack-every=0,packet=8,workers=2"}) {
    EXPECT_EQ(error_of(right), "") << right;
  }
  for (const char* wrong :
       {"check-every=1", "encoder=segment,check-every=0", "encoder=segment,stack-every=5",
        "encoder=segment,check-every=1,event=exception", "encoder=segment,check-every=1,no-sites",
        "encoder=segment,check-every=1,engine=parallel", "encoder=segment,check-every=1,record=t",
        "encoder=segment,check-every=1,recursion=merge",
        "encoder=segment,check-every=1,snapshot=1s"}) {
    EXPECT_NE(error_of(wrong), "") << wrong;
  }
  EXPECT_EQ(engine_of(*parse_agent_options("encoder=segment,check-every=1")),
            EngineKind::kParallel);
}

TEST(AgentOptions, WhatOnlyPacketsHaveIsRefusedBesideTheInlineEngine) {
  EXPECT_NE(error_of("engine=inline,workers=1"), "");
  EXPECT_NE(error_of("engine=inline,packet=8"), "");
  EXPECT_NE(error_of("engine=inline,record=t"), "");
}

// An option that has no effect beside the others, and what is said of it.
TEST(AgentOptions, WhatHasNoEffectIsRefusedWithItsDefaultValueToo) {
  const std::pair<const char*, const char*> refused[] = {
      {"record=t,out=r", "option out: has no effect with record, which names the trace"},
      {"mark=a.B", "option mark: needs encoder"},
      {"event=cpu", "option event: needs encoder, to know contexts by; add encoder=segment"},
      {"event=cpu,encoder=pcc", "option event: needs encoder=segment, or another whose ids decode"},
      {"encoder=segment,event=cpu,check-every=1",
       "option event: has no effect with check-every, which checks ids"},
      {"graph=g",
       "option graph: is for encoders that number before the run, pcce, deltapath, rcce, and for "
       "selective"},
      {"selective", "option selective: needs encoder"},
      {"encoder=segment,graph=g,selective",
       "option selective: needs mark: probes are where a marked method can be reached"},
      {"encoder=segment,mark=a.B,selective",
       "option selective: needs graph, the report of an earlier run or what copse graph wrote"},
      {"encoder=segment,mark=a.B,graph=g,event=exception,selective",
       "option selective: not with event, since any method can have one; only event=id is asked "
       "for"},
      {"measure=calls,cpu-interval=10ms", "option cpu-interval: needs measure=cpu"},
      {"encoder=segment,cpu-interval=10ms", "option cpu-interval: needs event=cpu"},
      {"by-thread=all", "option by-thread: 'all' is not one of group, each"},
      {"by-thread=each,engine=uptree",
       "option by-thread: needs engine=inline, where each thread builds a tree of its own"},
      {"measure=walks",
       "option measure: 'walks' is not one of calls, cpu, cpu=corrected, cpu=native, wall, alloc, "
       "alloc=exact, exceptions, locks; did you mean calls?"},
      {"measure=alloc,measure=alloc=exact", "option measure: either alloc or alloc=exact"},
      {"measure=calls,measure=cpu,engine=uptree,event-every=2",
       "option measure: not with event-every, which leaves out contexts"},
      {"encoder=segment,measure=calls\\,cpu",
       "option measure: calls has no effect with encoder, which counts none"},
      {"encoder=pcc,measure=cpu",
       "option measure: needs encoder=segment, or another whose ids decode"},
      {"encoder=segment,check-every=9,measure=cpu",
       "option measure: has no effect with check-every, which checks ids"},
      {"encoder=segment,mark=a.B,graph=g,measure=cpu,selective",
       "option measure: not with selective, since any method can have what is measured"},
      {"encoder=segment,event-file=e", "option event-file: needs event or mark"},
      {"encoder=luce,mark=a.B,event-file=e", "option event-file: needs encoder=segment"},
      {"encoder=segment,mark=a.B,event-file=e,check-every=1",
       "option event-file: has no effect with check-every, which checks ids"},
      {"check-every=1", "option check-every: needs encoder"},
      {"stack-every=1000", "option stack-every: needs check-every"},
      {"encoder=segment,stack-every=1000", "option stack-every: needs check-every"},
      {"encoder=pcc,check-every=1,stack-every=9",
       "option stack-every: has no effect with encoder=pcc, whose ids do not decode"},
      {"encoder=segment,jdk,check-every=1,stack-every=9",
       "option stack-every: has no effect with jdk: the JVM's stack is compared without it alone"},
      {"record=t,encoder=segment",
       "option encoder: has no effect with record, which keeps calls alone"},
      {"engine=inline,encoder=segment",
       "option engine: has no effect with encoder, which keeps ids and builds no tree; leave one "
       "of "
       "them out"},
      {"engine=parallel,record=t",
       "option engine: has no effect with record, which builds no tree; give it to copse replay"},
      {"no-sites,encoder=pcc",
       "option no-sites: has no effect with encoder, which keeps ids and builds no tree"},
      {"no-sites,record=t",
       "option no-sites: has no effect with record, which builds no tree; give it to copse replay"},
      {"recursion=merge,encoder=segment",
       "option recursion: has no effect with encoder, which keeps ids and builds no tree"},
      {"recursion=once", "option recursion: 'once' is not one of full, merge, auto"},
      {"event-every=3", "option event-every: needs engine=uptree"},
      {"workers=0,engine=inline", "option workers: engine=inline has no packets for them to fold"},
      {"workers=0,encoder=segment",
       "option workers: has no effect with encoder, which keeps ids and builds no tree"},
      {"workers=2,record=t", "option workers: has no effect with record, where one thread writes"},
      {"packet=4096,engine=inline", "option packet: engine=inline has no packets"},
      {"packet=4096,encoder=segment",
       "option packet: has no effect with encoder, which keeps ids and no calls"},
      {"memory=8M,record=t", "option memory: has no effect with record, which builds no tree"},
      {"memory=8M,encoder=pcc",
       "option memory: has no effect with encoder=pcc, which keeps no tables"},
      {"snapshot=1s,record=t", "option snapshot: not with record, which leaves no report"},
      {"keep=k,record=t", "option keep: not with record, which leaves a file of its own"},
      {"keep=k,encoder=segment,check-every=1",
       "option keep: not with check-every, which leaves nothing before its end"},
  };
  for (const auto& [text, message] : refused) EXPECT_EQ(error_of(text), message) << text;
  for (const char* allowed :
       {"workers=0", "packet=4096", "packet=4096,record=t", "event-every=0",
        "memory=8M,encoder=luce", "encoder=pcc,check-every=1,memory=8M",
        "encoder=segment,jdk,check-every=1,stack-every=0",
        "encoder=segment,event=cpu,cpu-interval=10ms", "measure=calls\\,cpu,cpu-interval=10ms",
        "measure=calls,workers=2", "workers=0,encoder=segment,check-every=1"}) {
    EXPECT_EQ(error_of(allowed), "") << allowed;
  }
}

TEST(AgentOptions, WhatToMeasureMayBeAList) {
  const std::vector<std::string> all = {"cpu", "alloc=exact", "locks"};
  for (const char* text :
       {"measure=cpu,alloc=exact,locks", "measure=cpu\\,alloc=exact,locks",
        "measure=cpu,measure=alloc=exact,measure=locks", "measure=cpu,locks,measure=alloc=exact",
        "measure=cpu, alloc=exact , locks", "measure= cpu\\, alloc=exact\\,\tlocks "}) {
    const auto options = parse_agent_options(text);
    ASSERT_TRUE(options.ok()) << text << ": " << options.message();
    EXPECT_TRUE(std::ranges::is_permutation(options->measures, all)) << text;
  }
  EXPECT_EQ(error_of("measure=cpu,jdk,wall").substr(0, 20), "option wall: unknown") << "it ended";
}

TEST(AgentOptions, GuessWhatAMisspeltMeasureWasMeantToBe) {
  const std::string known =
      "is not one of calls, cpu, cpu=corrected, cpu=native, wall, alloc, alloc=exact, exceptions, "
      "locks";
  const std::vector<std::array<std::string, 3>> guesses = {
      {"measure=CPU", "CPU", "cpu"},
      {"measure=calls, Wall", "Wall", "wall"},
      {"measure=calls\\,cup", "cup", "cpu"},
      {"measure=Exception", "Exception", "exceptions"}};
  for (const auto& [text, typed, meant] : guesses) {
    EXPECT_EQ(error_of(text),
              "option measure: '" + typed + "' " + known + "; did you mean " + meant + "?");
  }
  EXPECT_EQ(error_of("measure=cpu\\,"), "option measure: '' " + known);
}

TEST(AgentOptions, TakeCallsAndProcessorTimeUnlessAskedForSomethingElse) {
  const auto takes_them = [](std::string_view text) {
    return takes_default_measures(parse_agent_options(text).value());
  };
  EXPECT_TRUE(takes_them(""));
  EXPECT_TRUE(takes_them("jdk,by-thread=group,cpu-interval=1ms"));
  EXPECT_FALSE(takes_them("measure=calls"));
  EXPECT_FALSE(takes_them("encoder=segment,mark=a.B"));
  EXPECT_FALSE(takes_them("record=t.trace"));
  EXPECT_FALSE(takes_them("engine=uptree,event-every=3"));
}

TEST(AgentOptions, WhatIsMeasuredOfIdsAreEvents) {
  const auto options =
      parse_agent_options("encoder=segment,event=cpu,measure=cpu\\,alloc\\,exceptions\\,locks");
  ASSERT_TRUE(options.ok()) << options.message();
  EXPECT_EQ(options->events,
            (std::vector<std::string>{"cpu", "allocation", "exception", "contention", "parked"}));
  EXPECT_EQ(format_agent_options(*options),
            "encoder=segment,event=cpu,event=allocation,event=exception,event=contention,"
            "event=parked");
  EXPECT_EQ(error_of("encoder=segment,measure=cpu,cpu-interval=5ms,event-file=e"), "");
  const auto corrected = parse_agent_options("encoder=segment,measure=cpu=corrected");
  ASSERT_TRUE(corrected.ok()) << corrected.message();
  EXPECT_EQ(corrected->events, (std::vector<std::string>{"cpu", "cpu=corrected"}));
  EXPECT_EQ(parse_agent_options(format_agent_options(*corrected)).value().events,
            corrected->events);
  EXPECT_EQ(parse_agent_options("encoder=segment,measure=cpu=native").value().events,
            (std::vector<std::string>{"cpu", "cpu=native"}));
}

TEST(AgentOptions, WhoNamesWorkersOrPacketsWantsThem) {
  EXPECT_EQ(engine_in("workers=0"), EngineKind::kParallel);
  EXPECT_EQ(engine_in("packet=4096"), EngineKind::kParallel);
  EXPECT_EQ(format_agent_options(*parse_agent_options("workers=0,packet=4096")),
            "workers=0,packet=4096");
}

TEST(AgentOptions, MessagesAreInTheWordsOfWhoeverWroteTheOptions) {
  const auto said = [](std::string_view text) {
    return parse_agent_options(text, Spelling::kCommandLine).message();
  };
  EXPECT_EQ(said("event-every=3"), "--event-every: needs --engine uptree");
  EXPECT_EQ(said("event=cpu"),
            "--event: needs --encoder, to know contexts by; add --encoder segment");
  EXPECT_EQ(said("packet=100"), "--packet-slots: '100' is not a power of two");
  EXPECT_EQ(
      said("encoder=pcce"),
      "--encoder: pcce needs --graph, the report of an earlier run or what copse graph wrote");
  EXPECT_EQ(said("record=t,workers=1"),
            "--workers: has no effect with copse record, where one thread writes");
}

TEST(AgentOptions, UnknownKeysAreNamedWithTheKnownOnes) {
  const std::string error = error_of("jdk,pakcet=8");
  EXPECT_NE(error.find("option pakcet: unknown"), std::string::npos) << error;
  EXPECT_NE(error.find("packet"), std::string::npos) << error;
}

TEST(AgentOptions, NumbersOutsideTheirRangeAreRefused) {
  EXPECT_EQ(error_of("packet=4"), "option packet: '4' is not a whole number from 8 to 65536");
  EXPECT_EQ(error_of("packet=100"), "option packet: '100' is not a power of two");
  EXPECT_NE(error_of("workers=-1"), "");
  EXPECT_NE(error_of("workers=two"), "");
}

TEST(AgentOptions, SizesHaveBinaryUnits) {
  const auto size = [](std::string_view text) {
    const Result<std::uint64_t> bytes = parse_size(text);
    return bytes.ok() ? *bytes : 0;
  };
  EXPECT_EQ(size("512M"), 512u << 20);
  EXPECT_EQ(size("3G"), 3ull << 30);
  EXPECT_EQ(size("65536"), 65536u);
  EXPECT_EQ(size("5T"), 0u);
  EXPECT_EQ(size("M"), 0u);
  EXPECT_EQ(size("99999999999G"), 0u);
  EXPECT_EQ(error_of("memory=10"), "option memory: '10' is not a size of 1M or more");
}

TEST(AgentOptions, PeriodsAreSecondsUnlessTheySayOtherwise) {
  const auto ms = [](std::string_view text) {
    const Result<std::uint64_t> period = parse_period(text);
    return period.ok() ? *period : 0;
  };
  EXPECT_EQ(ms("10"), 10'000u);
  EXPECT_EQ(ms("10s"), 10'000u);
  EXPECT_EQ(ms("250ms"), 250u);
  EXPECT_EQ(ms("2m"), 120'000u);
  EXPECT_EQ(ms("1h"), 3'600'000u);
  for (const char* wrong : {"", "s", "0", "0ms", "-1s", "1.5s", "10 s", "10d", "99999999999999h"}) {
    EXPECT_EQ(ms(wrong), 0u) << wrong;
  }
  EXPECT_EQ(error_of("snapshot=soon"),
            "option snapshot: 'soon' is not a period such as 10s, 500ms or 2m");
}

TEST(AgentOptions, SnapshotsAreOfTreesAndIds) {
  for (const std::string option : {"snapshot=10s"}) {
    EXPECT_EQ(error_of(option), "");
    EXPECT_EQ(error_of(option + ",engine=uptree"), "");
    EXPECT_NE(error_of(option + ",record=t"), "");
    for (const std::string_view encoder : encoder_names()) {
      const std::string graph = needs_graph(encoder) ? ",graph=g.json" : "";
      EXPECT_EQ(error_of(option + ",encoder=" + std::string(encoder) + graph), "");
    }
  }
}

TEST(AgentOptions, CommandsToARunningAgentStandAlone) {
  AgentOptions command;
  command.dump = "/tmp/a,b.json";
  command.manifest = "/tmp/m";
  const Result<AgentOptions> read = parse_agent_options(format_agent_options(command));
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->dump, command.dump);
  EXPECT_TRUE(parse_agent_options("detach,manifest=/tmp/m")->detach);
  EXPECT_EQ(error_of("detach,engine=uptree"), "option detach: stands alone");
  EXPECT_EQ(error_of("dump=f,out=g"), "option dump: stands alone");
  EXPECT_NE(error_of("dump=f,detach"), "");
}

TEST(AgentOptions, AttachingHasNoRoomForWhatMustBeThereFromTheStart) {
  const auto refused = [](std::string_view text) {
    return !check_attach_options(*parse_agent_options(text)).ok();
  };
  EXPECT_FALSE(refused("engine=parallel,no-sites,snapshot=1m"));
  EXPECT_FALSE(refused("record=t"));
  EXPECT_TRUE(refused("jdk"));
  EXPECT_TRUE(refused("encoder=segment"));
}

TEST(AgentOptions, ThreadsGetMoreStackUnlessTheyKeepTheirs) {
  const std::string text = "keep-stack-size,main-stack=8388608";
  const Result<AgentOptions> read = parse_agent_options(text);
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_TRUE(read->keep_stack_size);
  EXPECT_EQ(read->main_stack_bytes, 8u << 20);
  EXPECT_EQ(format_agent_options(*read), text);
  EXPECT_FALSE(stacks_scale(*read));
  EXPECT_NE(error_of("main-stack=0"), "");
  EXPECT_NE(error_of("main-stack=2147483648"), "");
}

TEST(AgentOptions, AScaledStackIsWithinWhatAJvmTakes) {
  EXPECT_EQ(scaled_stack(1 << 20), kStackScale << 20);
  EXPECT_EQ(scaled_stack(1 << 29), 1u << 30);
  EXPECT_EQ(scaled_stack(std::uint64_t{1} << 31), std::uint64_t{1} << 31);
}

TEST(AgentOptions, FlagsTakeNoValueAndKeysNeedOne) {
  EXPECT_EQ(error_of("jdk=yes"), "option jdk: takes no value");
  EXPECT_EQ(error_of("out="), "option out: needs a value");
}

TEST(AgentOptions, OptionsThatContradictEachOtherAreRefused) {
  EXPECT_NE(error_of("event-every=5"), "");
  EXPECT_EQ(error_of("engine=uptree,event-every=5"), "");
}

}  // namespace
}  // namespace copse::agent
