#include "agent/options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "agent/memory_bound.h"
#include "agent/option_table.h"
#include "agent/stack_scale.h"
#include "support/expect_fault.h"

namespace copse::agent {
namespace {

AgentOptions read(std::string_view text) {
  Result<AgentOptions> options = parse_agent_options(text);
  EXPECT_TRUE(options.ok()) << text << ": " << (options.ok() ? "" : options.message());
  return options.ok() ? std::move(options).value() : AgentOptions();
}

template <typename ModeOptions>
ModeOptions read_mode(std::string_view text) {
  const AgentOptions options = read(text);
  const auto* mode = std::get_if<ModeOptions>(&options.mode);
  EXPECT_NE(mode, nullptr) << text;
  return mode == nullptr ? ModeOptions() : *mode;
}

// The error is about this option, and names `word`.
void expect_refused(std::string_view text, const std::string& option, const std::string& word) {
  EXPECT_FAULT(parse_agent_options(text), kUsage, "option " + option, word) << text;
}

TEST(AgentOptions, DefaultsNeedNoText) {
  const AgentOptions options = read("");
  EXPECT_EQ(options.out, "copse-%c-%p.json");
  EXPECT_FALSE(options.jdk);
  EXPECT_EQ(options.max_contexts, std::nullopt);
  const auto tree = read_mode<TreeOptions>("");
  EXPECT_TRUE(tree.sites);
  EXPECT_EQ(tree.engine, EngineKind::kInline);
  EXPECT_EQ(tree.packet_slots, 4096u);
  EXPECT_EQ(read_mode<IdOptions>("mode=ids").encoder, "segment");
}

TEST(AgentOptions, ReadBackEqualWhatIsFormattedInEachMode) {
  for (const char* text :
       {"out=/tmp/a\\,b\\\\c/%p.json,measure=cpu:interval=2ms,measure=wall,include=org.**,"
        "include=a\\,b,exclude=x.Y.z,jdk,by-thread=each,no-sites,recursion=full,memory=123456789,"
        "max-contexts=7,snapshot=90500ms,keep-stack-size,main-stack=8388608,keep=k,quiet,manifest=/"
        "tmp/m",
        "engine=uptree:workers=3:packet=8:every=100",
        "mode=ids,measure=cpu,measure=alloc=exact,encoder=segment,mark=b.C,event-file=a",
        "mode=ids,encoder=pcce,mark=a.**,graph=g.json,selective",
        "mode=trace,out=a\\,b-%p.trace,packet=8",
        "mode=validate,encoder=luce,mark=a.B,check-every=3,stack-every=0,packet=16",
        "mode=values,values=shop.**,quiet",
        "mode=values,queries=q,query-socket=s,query-frames=3,query-without=5",
        "mode=dump,out=/tmp/a\\,b.json,manifest=m", "mode=detach,manifest=m"}) {
    EXPECT_EQ(format_agent_options(read(text)), text);
  }
}

TEST(AgentOptions, BelongToModes) {
  expect_refused("mark=a.B", "mark", "mode=ids or mode=validate");
  expect_refused("encoder=segment", "encoder", "mode=ids or mode=validate");
  expect_refused("mode=trace,no-sites", "no-sites", "mode=tree");
  expect_refused("mode=trace,memory=8M", "memory", "mode=tree or mode=ids or mode=validate");
  expect_refused("mode=trace,max-contexts=9", "max-contexts", "mode=tree");
  expect_refused("mode=ids,engine=inline", "engine", "mode=tree");
  expect_refused("mode=validate,snapshot=1s", "snapshot", "mode=tree or mode=ids");
  expect_refused("mode=validate,measure=cpu", "measure", "mode=tree or mode=ids");
  expect_refused("mode=values,jdk", "jdk", "mode=tree");
  expect_refused("mode=detach,jdk", "jdk", "mode=tree");
  expect_refused("packet=8", "packet", "mode=trace or mode=validate");
  expect_refused("mode=trees", "mode", "tree, ids, trace");
  EXPECT_TRUE(parse_agent_options("mark=a.B,mode=ids").ok()) << "wherever the mode stands";
}

TEST(AgentOptions, OfAnOlderCopseAreRefusedWithWhatIsWrittenToday) {
  expect_refused("engine=parallel,fold-recursion", "fold-recursion", "recursion");
  expect_refused("record=t", "record", "mode=trace,out=FILE");
  expect_refused("workers=2", "workers", "engine=parallel:workers=N");
  expect_refused("mode=ids,event=cpu", "event", "measure");
  expect_refused("measure=cpu,cpu-interval=5ms", "cpu-interval", "measure=cpu:interval=PERIOD");
  expect_refused("dump=f", "dump", "mode=dump");
  expect_refused("mode=validate,token-every=2", "token-every", "check-every");
}

TEST(AgentOptions, AnEngineHasItsSettingsBehindItsName) {
  const auto tree = read_mode<TreeOptions>("engine=parallel:workers=2:packet=64");
  EXPECT_EQ(tree.engine, EngineKind::kParallel);
  EXPECT_EQ(tree.workers, 2u);
  EXPECT_EQ(tree.packet_slots, 64u);
  EXPECT_EQ(read_mode<TreeOptions>("engine=uptree:every=5").event_every, 5u);
  expect_refused("engine=inline:workers=2", "engine", "inline");
  expect_refused("engine=parallel:every=2", "engine", "workers, packet");
  expect_refused("engine=parallel:packet=100", "engine", "power of two");
  expect_refused("engine=parallel:packet=4", "engine", "from 8 to 65536");
  expect_refused("engine=parallel:workers", "engine", "''");
  expect_refused("engine=parallel:", "engine", "''");
  expect_refused("engine=steam", "engine", "inline, parallel, uptree");
}

TEST(AgentOptions, ThatContradictEachOtherAreRefused) {
  expect_refused("by-thread=each,engine=uptree", "by-thread", "engine=inline");
  expect_refused("measure=cpu,engine=uptree:every=2", "measure", "uptree");
  expect_refused("mode=ids,encoder=pcc,measure=cpu", "measure", "encoder=segment");
  expect_refused("mode=ids,encoder=pcce", "encoder pcce", "graph");
  expect_refused("mode=validate,encoder=rcce", "encoder rcce", "graph");
  expect_refused("mode=ids,graph=g", "graph", "selective");
  expect_refused("mode=ids,mark=a.B,selective", "selective", "graph");
  expect_refused("mode=ids,graph=g,selective", "selective", "mark");
  expect_refused("mode=ids,mark=a.B,graph=g,measure=cpu,selective", "selective", "measure=ids");
  expect_refused("mode=ids,event-file=e", "event-file", "measure or mark");
  expect_refused("mode=ids,encoder=luce,mark=a.B,event-file=e", "event-file", "encoder=segment");
  for (const char* allowed :
       {"measure=calls,engine=uptree:every=2", "mode=ids,graph=g,measure=ids,selective",
        "mode=ids,encoder=pcc,mark=a.B,memory=8M", "mode=validate,encoder=pcc,jdk,stack-every=9"}) {
    EXPECT_TRUE(parse_agent_options(allowed).ok()) << allowed;
  }
}

TEST(AgentOptions, WhatToMeasureMayBeAList) {
  const std::vector<std::string> all = {"cpu", "alloc=exact", "locks"};
  for (const char* text :
       {"measure=cpu,alloc=exact,locks", "measure=cpu\\,alloc=exact,locks",
        "measure=cpu,measure=alloc=exact,measure=locks", "measure=cpu,locks,measure=alloc=exact",
        "measure=cpu, alloc=exact , locks", "measure= cpu\\, alloc=exact\\,\tlocks "}) {
    EXPECT_TRUE(std::ranges::is_permutation(read_mode<TreeOptions>(text).measures, all)) << text;
  }
  expect_refused("measure=cpu,jdk,wall", "wall", "unknown");
}

TEST(AgentOptions, AMeasuresPartBringsTheWholeAndExactAllocationsReplaceSamples) {
  const auto measured = [](std::string_view text) { return read_mode<TreeOptions>(text).measures; };
  using Names = std::vector<std::string>;
  EXPECT_EQ(measured("measure=cpu=corrected"), (Names{"cpu", "cpu=corrected"}));
  EXPECT_EQ(measured("measure=alloc,alloc=exact"), (Names{"alloc=exact"}));
  EXPECT_EQ(measured("measure=alloc=exact,alloc"), (Names{"alloc=exact"}));
}

TEST(AgentOptions, ATimeBetweenSamplesStandsBehindProcessorTime) {
  EXPECT_EQ(read_mode<TreeOptions>("measure=cpu:interval=5ms,wall").cpu_interval_ms, 5u);
  EXPECT_EQ(read_mode<IdOptions>("mode=ids,measure=cpu:interval=2").cpu_interval_ms, 2000u);
  expect_refused("measure=wall:interval=5ms", "measure", "cpu:interval=5ms");
  expect_refused("measure=cpu:interval=soon", "measure", "period");
  expect_refused("measure=cpu:every=5ms", "measure", "cpu:interval=5ms");
}

TEST(AgentOptions, ATreeHasCallsAndIdsHaveTheRequestsForIds) {
  expect_refused("measure=ids", "measure", "calls, cpu");
  expect_refused("mode=ids,measure=calls", "measure", "locks, ids");
  EXPECT_TRUE(parse_agent_options("mode=ids,measure=ids,cpu,wall").ok());
}

TEST(AgentOptions, GuessWhatAMisspeltMeasureWasMeantToBe) {
  const std::vector<std::pair<const char*, std::string>> guesses = {
      {"measure=CPU", "cpu"},
      {"measure=calls, Wall", "wall"},
      {"measure=calls\\,cup", "cpu"},
      {"measure=Exception", "exceptions"},
      {"measure=walks", "calls"}};
  for (const auto& [text, meant] : guesses) {
    expect_refused(text, "measure", meant + "?");
  }
  expect_refused("measure=cpu\\,", "measure", "''");
}

TEST(AgentOptions, TakeCallsAndProcessorTimeUnlessAskedForSomethingElse) {
  EXPECT_TRUE(takes_default_measures(read("")));
  EXPECT_TRUE(takes_default_measures(read("jdk,by-thread=group")));
  EXPECT_FALSE(takes_default_measures(read("measure=calls")));
  EXPECT_FALSE(takes_default_measures(read("mode=ids,mark=a.B")));
  EXPECT_FALSE(takes_default_measures(read("mode=trace")));
  EXPECT_FALSE(takes_default_measures(read("engine=uptree:every=3")));
}

TEST(AgentOptions, WithoutABoundATreeGetsAQuarterOfTheMachine) {
  EXPECT_EQ(memory_bound(read("memory=3M")), 3u << 20);
  const std::uint64_t none_named = memory_bound(read(""));
  EXPECT_GE(none_named, std::uint64_t{1} << 30);
  EXPECT_LE(none_named, std::uint64_t{8} << 30);
}

TEST(AgentOptions, MessagesAreInTheWordsOfWhoeverWroteTheOptions) {
  EXPECT_FAULT(parse_agent_options("mode=ids,encoder=pcce", Spelling::kCommandLine), kUsage,
               "--encoder pcce: ", "--graph");
}

TEST(AgentOptions, UnknownKeysAreNamedWithTheKnownOnesOfTheMode) {
  expect_refused("jdk,measrue=cpu", "measrue", "measure");
  EXPECT_EQ(parse_agent_options("pakcet=8").message().find("packet"), std::string::npos);
  expect_refused("mode=trace,pakcet=8", "pakcet", "packet");
}

TEST(AgentOptions, TakeEachValueOnceAndInItsForm) {
  expect_refused("jdk=yes", "jdk", "no value");
  expect_refused("out=", "out", "value");
  expect_refused("out", "out", "value");
  expect_refused("memory=1M,memory=2M", "memory", "once");
  expect_refused("memory=10", "memory", "1M");
  expect_refused("max-contexts=1", "max-contexts", "from 2 to 2147483648");
  expect_refused("main-stack=0", "main-stack", "from 1");
  expect_refused("main-stack=2147483648", "main-stack", "from 1");
  expect_refused("recursion=once", "recursion", "full, merge, auto");
  expect_refused("snapshot=soon", "snapshot", "period");
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
}

TEST(AgentOptions, AttachingHasNoRoomForWhatMustBeThereFromTheStart) {
  const auto refused = [](std::string_view text) { return !check_attach_options(read(text)).ok(); };
  EXPECT_FALSE(refused("engine=parallel,no-sites,snapshot=1m"));
  EXPECT_FALSE(refused("mode=values,values=a.B"));
  EXPECT_TRUE(refused("jdk"));
  EXPECT_TRUE(refused("mode=ids"));
  EXPECT_TRUE(refused("keep-stack-size"));
}

TEST(AgentOptions, ThreadsGetMoreStackUnlessTheyKeepTheirs) {
  EXPECT_FALSE(stacks_scale(read("keep-stack-size,main-stack=8388608")));
  EXPECT_EQ(scaled_stack(1 << 20), kStackScale << 20);
  EXPECT_EQ(scaled_stack(1 << 29), 1u << 30) << "within what a JVM takes";
  EXPECT_EQ(scaled_stack(std::uint64_t{1} << 31), std::uint64_t{1} << 31);
}

}  // namespace
}  // namespace copse::agent
