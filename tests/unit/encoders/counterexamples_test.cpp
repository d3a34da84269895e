// Smallest programs on which a scheme as published decodes to the wrong context. Each is run on the
// literal form, which must fail, and on the repaired one, which must not.
#include <gtest/gtest.h>

#include "encoders/replay/deltapath.h"
#include "encoders/replay/luce.h"
#include "encoders/replay/registry.h"
#include "letters.h"
#include "random_program.h"

namespace copse::encoders {
namespace {

template <typename E, typename... Args>
std::uint64_t bad_tokens(const Trace& trace, const Args&... args) {
  const std::unique_ptr<Encoder> encoder = adapt<E>(args...);
  return replay(*encoder, trace).bad();
}

// Bad tokens of a scheme of the registry.
std::uint64_t bad_tokens(std::string_view scheme, const TraceBuilder& builder,
                         std::uint64_t max_codes = std::uint64_t{1} << 62) {
  EncoderConfig config;
  config.graph = builder.graph();
  config.max_codes = max_codes;
  return replay(*make_encoder(scheme, config).value(), builder.trace()).bad();
}

// All forms, published ones too, have ROOT in front of a thread's entry.
TEST(PublishedForms, DecodeRecursionIntoTheEntry) {
  const TraceBuilder builder = TraceBuilder().start(0, 1).call(1, 1, 1).call(1, 1, 1).token();
  for (const EncoderInfo& info : all_encoders()) {
    if (info.form != Form::kPublished) continue;
    EXPECT_EQ(bad_tokens(info.name, builder), 0u) << info.name;
  }
}

LuceOptions unversioned() {
  LuceOptions options;
  options.bump = LuceBump::kNeverForCallerVersion;
  return options;
}
LuceOptions conditional() {
  LuceOptions options;
  options.bump = LuceBump::kIfIssued;
  return options;
}

void expect_repaired_luce_decodes(const Trace& trace) {
  EXPECT_EQ(bad_tokens<LuceEncoder>(trace, LuceOptions()), 0u);
  EXPECT_EQ(bad_tokens<LuceEncoder>(trace, conditional()), 0u);
  EXPECT_EQ(bad_tokens<LuceEncoder>(trace, LuceOptions::canonical()), 0u);
}

TEST(LuceCounterexample, SelfEdgeNeedsStoredAdditions) {
  enum : std::uint32_t { kMain = 1, kN, kM };
  const Trace trace = TraceBuilder()
                          .start(0, kMain)
                          .call(kMain, 1, kN)
                          .call(kN, 3, kM)
                          .ret()
                          .call(kN, 2, kN)
                          .call(kN, 1, kM)
                          .ret(3)
                          .call(kMain, 2, kN)
                          .call(kN, 3, kM)
                          .token()
                          .trace();
  LuceOptions recomputing;
  recomputing.stores_additions = false;
  EXPECT_GT(bad_tokens<LuceEncoder>(trace, recomputing), 0u);
  expect_repaired_luce_decodes(trace);
}

TEST(LuceCounterexample, CallsFromNativeCodeNeedTheRecordRestored) {
  // P calls native code at one site; that calls F, which calls G, and then H.
  const auto decoded = [](bool restores) {
    LuceOptions options;
    options.restores_pending = restores;
    LuceEncoder luce(options);
    auto& thread = enter(luce, 'P', {});
    luce.calling(thread, site_of(edge("PF")));
    luce.entered(thread, letter('F'));
    luce.call(thread, edge("FG"));
    luce.ret(thread);
    luce.ret(thread);
    luce.entered(thread, letter('H'));
    return decoded_letters(luce, token_of(luce, thread));
  };
  EXPECT_EQ(decoded(false), "PFH");
  EXPECT_EQ(decoded(true), "PH");
}

TEST(LuceCounterexample, RecursionNeedsVersionsOfCallerVersions) {
  enum : std::uint32_t { kMain = 1, kF };
  const Trace trace = TraceBuilder()
                          .start(0, kMain)
                          .call(kMain, 1, kF)
                          .call(kF, 2, kF)
                          .call(kF, 2, kF)
                          .token()
                          .ret(2)
                          .call(kF, 2, kF)
                          .trace();
  EXPECT_GT(bad_tokens<LuceEncoder>(trace, unversioned()), 0u);
  expect_repaired_luce_decodes(trace);
}

TEST(LuceCounterexample, TwoThreadsNeedVersionsOfCallerVersions) {
  enum : std::uint32_t { kMain = 1, kP, kQ, kN };
  const Trace trace = TraceBuilder()
                          .start(0, kMain)
                          .start(1, kMain)
                          .call(kMain, 1, kP)
                          .on(0)
                          .call(kMain, 2, kQ)
                          .call(kQ, 1, kP)
                          .call(kP, 1, kN)
                          .token()
                          .on(1)
                          .call(kP, 2, kN)
                          .trace();
  EXPECT_GT(bad_tokens<LuceEncoder>(trace, unversioned()), 0u);
  expect_repaired_luce_decodes(trace);
}

// The token is lost, not wrong: as large as the word is any code that does not fit into it.
TEST(LuceCounterexample, CodesPassAnyWordWithTwoRecursiveSites) {
  TraceBuilder builder;
  builder.start(0, 1).call(1, 1, 2);
  for (std::uint32_t i = 0; i < 200; ++i) builder.call(2, 1 + i % 2, 2).token();
  EXPECT_GT(bad_tokens<LuceEncoder>(builder.trace(), LuceOptions::literal()), 0u);
  expect_repaired_luce_decodes(builder.trace());
}

TEST(PcceCounterexample, ResettingTo0AtABackEdgeIsAmbiguous) {
  enum : std::uint32_t { kMain = 1, kF };
  const TraceBuilder builder =
      TraceBuilder().start(0, kMain).call(kMain, 1, kF).call(kF, 1, kF).token();
  EXPECT_GT(bad_tokens("pcce-no-dummy-edge", builder), 0u);
  EXPECT_EQ(bad_tokens("pcce-literal", builder), 0u);
  EXPECT_EQ(bad_tokens("pcce-stack", builder), 0u);
  EXPECT_EQ(bad_tokens("pcce", builder), 0u);
}

// A restart at an overflow that keeps which sites were numbered leaves them without values.
TEST(DeltaPathCounterexample, RestartThatKeepsItsStateMisnumbers) {
  DeltaPathOptions kept, cleared;
  kept.numbering.max_code = cleared.numbering.max_code = 2;
  kept.numbering.clears_on_restart = false;
  TraceBuilder builder;
  builder.start(0, 1);
  // 2 is called from two sites of 1, and 3 from two sites of 2: four contexts do not fit.
  for (const std::uint32_t first : {1u, 2u}) {
    for (const std::uint32_t second : {1u, 2u}) {
      builder.call(1, first, 2).call(2, second, 3).call(3, 1, 4).token().ret(3);
    }
  }
  EXPECT_GT(bad_tokens<DeltaPathEncoder>(builder.trace(), builder.graph(), kept), 0u);
  EXPECT_EQ(bad_tokens<DeltaPathEncoder>(builder.trace(), builder.graph(), cleared), 0u);
}

TEST(DeltaPathCounterexample, AnOverflowingAnchorNeedsAnotherAnchor) {
  enum : std::uint32_t { kA = 1, kB, kY };
  // B's two contexts fill the four codes of Y in A's territory; A's own call of Y does not fit.
  const TraceBuilder builder = TraceBuilder()
                                   .start(0, kA)
                                   .call(kA, 1, kB)
                                   .call(kB, 1, kY)
                                   .token()
                                   .ret()
                                   .call(kB, 2, kY)
                                   .token()
                                   .ret(2)
                                   .call(kA, 2, kB)
                                   .call(kB, 2, kY)
                                   .token()
                                   .ret(2)
                                   .call(kA, 3, kY)
                                   .token();
  DeltaPathOptions options;
  options.numbering.max_code = 4;
  options.numbering.breaks_livelock = false;
  EXPECT_TRUE(DeltaPathEncoder(builder.graph(), options).livelock());
  options.numbering.breaks_livelock = true;
  EXPECT_FALSE(DeltaPathEncoder(builder.graph(), options).livelock());
  EXPECT_EQ(bad_tokens<DeltaPathEncoder>(builder.trace(), builder.graph(), options), 0u);
}

TEST(DeltaPathCounterexample, MoreInEdgesThanCodesAreEnteredByPush) {
  TraceBuilder builder;
  builder.start(0, 1);
  for (std::uint32_t site = 1; site <= 6; ++site) builder.call(1, site, 2).token().ret();
  DeltaPathOptions options;
  options.numbering.max_code = 4;
  EXPECT_FALSE(DeltaPathEncoder(builder.graph(), options).livelock());
  EXPECT_EQ(bad_tokens<DeltaPathEncoder>(builder.trace(), builder.graph(), options), 0u);
}

// Figure 5: EG and CG both add 0, in the territories of D and of C.
TEST(DeltaPathCounterexample, DecodeNeedsTheTerritory) {
  graph::CallGraph graph;
  for (const EdgeKey e :
       {entry_edge(letter('A')), edge("AC"), edge("AD", 2), edge("CG"), edge("DG")}) {
    graph.add(e);
  }
  DeltaPathOptions options;
  options.numbering.forced_anchors = {letter('C'), letter('D')};
  DeltaPathEncoder deltapath(graph, options);
  for (const auto& steps :
       {std::vector{edge("AC"), edge("CG")}, std::vector{edge("AD", 2), edge("DG")}}) {
    auto& thread = enter(deltapath, 'A', {});
    for (const EdgeKey step : steps) deltapath.call(thread, step);
    EXPECT_EQ(decoded_letters(deltapath, token_of(deltapath, thread)),
              std::string("A") + letters(steps));
  }
}

// C is an anchor, and an unknown path leads from C to F, which lies in ROOT's territory only.
TEST(DeltaPathCounterexample, AfterAPushTheTerritoryIsOneOfTheMethodEntered) {
  graph::CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), edge("AC"), edge("AF", 2), edge("FG")}) {
    graph.add(e);
  }
  DeltaPathOptions options;
  options.numbering.forced_anchors = {letter('C')};
  DeltaPathEncoder deltapath(graph, options);
  auto& thread = enter(deltapath, 'A', {edge("AC"), edge("CX"), edge("XF"), edge("FG")});
  EXPECT_EQ(decoded_letters(deltapath, token_of(deltapath, thread)), "ACFG");
}

// P's site may call D or E, Q's E or F, so the three share a set id; X, loaded later, is called by
// P's site and calls F.
TEST(DeltaPathCounterexample, SetIdsLetAPathPassThatNoSiteExpects) {
  graph::CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), edge("AP", 1), edge("AQ", 2), edge("PD"),
                          edge("PE"), edge("QE"), edge("QF")}) {
    graph.add(e);
  }
  const auto decoded = [&](bool sid_check) {
    DeltaPathOptions options;
    options.sid_check = sid_check;
    DeltaPathEncoder deltapath(graph, options);
    auto& thread = enter(deltapath, 'A', {edge("AP"), edge("PX"), edge("XF")});
    return decoded_letters(deltapath, token_of(deltapath, thread));
  };
  EXPECT_NE(decoded(true), "APF");
  EXPECT_EQ(decoded(false), "APF");
}

// P's site expects D; X, loaded later, calls D, which calls G and returns, and then G itself.
TEST(DeltaPathCounterexample, ARecordNotRestoredNamesAMethodThatHasReturned) {
  graph::CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), edge("AP"), edge("PD"), edge("DG")}) {
    graph.add(e);
  }
  const auto decoded = [&](bool stale) {
    DeltaPathOptions options;
    options.stale_record = stale;
    DeltaPathEncoder deltapath(graph, options);
    auto& thread = enter(deltapath, 'A', {edge("AP"), edge("PX"), edge("XD"), edge("DG")});
    deltapath.ret(thread);
    deltapath.ret(thread);
    deltapath.call(thread, edge("XG", 2));
    return decoded_letters(deltapath, token_of(deltapath, thread));
  };
  EXPECT_EQ(decoded(true), "APDG");
  EXPECT_EQ(decoded(false), "APG");
}

// The id is reset in f, whose entry is an id alone: nothing tells by which call f was entered. A call of g (one caller)
// leaves the id at 1; the step from g to f is clear, and then f is as lost as before.
TEST(RcceCounterexample, AnEntryOfAnIdAloneLosesTheCaller) {
  enum : std::uint32_t { kMain = 1, kF, kG };
  const TraceBuilder builder =
      TraceBuilder().start(0, kMain).call(kMain, 1, kF).call(kF, 1, kF).call(kF, 2, kG).token();
  EXPECT_GT(bad_tokens("rcce-literal-id", builder, 4), 0u);
  EXPECT_EQ(bad_tokens("rcce-literal", builder, 4), 0u);
  EXPECT_EQ(bad_tokens("rcce-stack", builder, 4), 0u);
}

// The entry names f, which calls itself at two sites.
TEST(RcceCounterexample, AnEntryThatNamesTheCallerLosesTheSite) {
  enum : std::uint32_t { kMain = 1, kF };
  const TraceBuilder builder = TraceBuilder()
                                   .start(0, kMain)
                                   .call(kMain, 1, kF)
                                   .call(kF, 1, kF)
                                   .token()
                                   .ret()
                                   .call(kF, 2, kF)
                                   .token();
  EXPECT_EQ(bad_tokens("rcce-literal", builder, 4), 2u);
  EXPECT_EQ(bad_tokens("rcce-stack", builder, 4), 0u);
}

TEST(RcceCounterexample, WithoutOverflowCheckDeepContextsAreLost) {
  TraceBuilder builder;
  builder.start(0, 1).call(1, 1, 2);
  for (int depth = 0; depth < 70; ++depth) builder.call(2, 1, 2);
  builder.token();
  EXPECT_GT(bad_tokens("rcce-minus", builder), 0u);
  EXPECT_EQ(bad_tokens("rcce-stack", builder), 0u);
  EXPECT_EQ(bad_tokens("rcce", builder), 0u);
}

}  // namespace
}  // namespace copse::encoders
