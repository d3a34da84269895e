// The numbers printed in the papers: figures, examples and their decodings.
#include <gtest/gtest.h>

#include "encoders/dacce.h"
#include "encoders/deltapath.h"
#include "encoders/luce.h"
#include "encoders/pcc.h"
#include "encoders/pcce.h"
#include "encoders/rcce.h"
#include "encoders/segment.h"
#include "letters.h"

namespace copse::encoders {
namespace {

constexpr EdgeKey kAB = edge("AB", 1), kAC = edge("AC", 2), kBD = edge("BD"), kCD = edge("CD", 1);

// DeltaPath Figure 1, in-edges in the paper's order: E (D, D'), F (D, C), G (E, F, C).
CallGraph figure_1() {
  CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, kAC, kBD, kCD, edge("DE", 1), edge("DE", 2),
                          edge("DF", 3), edge("CF", 2), edge("EG"), edge("FG"), edge("CG", 3)}) {
    graph.add(e, 0);
  }
  return graph;
}

TEST(PaperFigures, PcceNumbersFigure1OfDeltaPath) {
  const PcceEncoder pcce(figure_1());
  const std::vector<std::pair<char, std::uint64_t>> paths = {{'A', 1}, {'B', 1}, {'C', 1}, {'D', 2},
                                                             {'E', 4}, {'F', 3}, {'G', 8}};
  for (const auto& [method, count] : paths) EXPECT_EQ(pcce.paths(letter(method)), count) << method;
  EXPECT_EQ(pcce.addition(kCD), 1u);
  EXPECT_EQ(pcce.addition(edge("DE", 2)), 2u);
  EXPECT_EQ(pcce.addition(edge("CF", 2)), 2u);
  EXPECT_EQ(pcce.addition(edge("FG")), 4u);
  EXPECT_EQ(pcce.addition(edge("CG", 3)), 7u);
  for (const EdgeKey e : {kAB, kAC, kBD, edge("DE", 1), edge("DF", 3), edge("EG")}) {
    EXPECT_EQ(pcce.addition(e), 0u);
  }
}

TEST(PaperFigures, PcceGivesAcfgTheId6) {
  PcceEncoder pcce(figure_1());
  auto& thread = enter(pcce, 'A', {kAC, edge("CF", 2), edge("FG")});
  EXPECT_EQ(thread.id, 6u);
  EXPECT_EQ(decoded_letters(pcce, token_of(pcce, thread)), "ACFG");
}

TEST(PaperFigures, PcceFactorialPushesAtEveryRecursiveCall) {
  CallGraph graph;
  const EdgeKey recursive = edge("BB", 1);
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, recursive}) graph.add(e);
  PcceEncoder pcce(graph);
  auto& thread = enter(pcce, 'A', {kAB});
  EXPECT_EQ(thread.id, 1u);
  EXPECT_TRUE(thread.pieces.empty());
  pcce.call(thread, recursive);
  EXPECT_EQ(thread.id, 0u);
  pcce.call(thread, recursive);
  EXPECT_EQ(thread.id, 0u);
  ASSERT_EQ(thread.pieces.size(), 2u);
  EXPECT_EQ(thread.pieces[0].code(), 1u);
  EXPECT_EQ(thread.pieces[1].code(), 0u);
  EXPECT_EQ(decoded_letters(pcce, token_of(pcce, thread)), "ABBB");
}

// Figure 4: D' may call E or F, C's second site F or G; in-edges of G in the order C, E, F.
CallGraph figure_4() {
  CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, kAC, kBD, kCD, edge("DE", 1), edge("DE", 2),
                          edge("DF", 2), edge("CF", 2), edge("CG", 2), edge("EG"), edge("FG")}) {
    graph.add(e);
  }
  return graph;
}

std::uint64_t addition(const CallGraph& graph, const DeltaPathNumbering& numbering, EdgeKey e) {
  return numbering.addition[static_cast<std::size_t>(graph.find(e))];
}

TEST(PaperFigures, DeltaPathNumbersFigure4) {
  const CallGraph graph = figure_4();
  const DeltaPathNumbering numbering = number_sites(graph, {});
  const std::vector<std::pair<char, std::uint64_t>> counts = {
      {'A', 1}, {'B', 1}, {'C', 1}, {'D', 2}, {'E', 4}, {'F', 5}, {'G', 14}};
  for (const auto& [method, count] : counts) {
    EXPECT_EQ(numbering.inflated_count(letter(method), kRootMethod), count) << method;
  }
  EXPECT_EQ(addition(graph, numbering, kCD), 1u);
  EXPECT_EQ(addition(graph, numbering, edge("DE", 2)), 2u);
  EXPECT_EQ(addition(graph, numbering, edge("DF", 2)), 2u);
  EXPECT_EQ(addition(graph, numbering, edge("CF", 2)), 4u);
  EXPECT_EQ(addition(graph, numbering, edge("CG", 2)), 4u);
  EXPECT_EQ(addition(graph, numbering, edge("EG")), 5u);
  EXPECT_EQ(addition(graph, numbering, edge("FG")), 9u);
}

TEST(PaperFigures, DeltaPathIdsOfFigure4Decode) {
  DeltaPathEncoder deltapath(figure_4());
  const auto check = [&](std::string_view path, std::initializer_list<EdgeKey> steps,
                         std::uint64_t id) {
    auto& thread = enter(deltapath, 'A', steps);
    EXPECT_EQ(thread.id, id) << path;
    EXPECT_EQ(decoded_letters(deltapath, token_of(deltapath, thread)), path);
  };
  check("ACFG", {kAC, edge("CF", 2), edge("FG")}, 13);
  check("ACG", {kAC, edge("CG", 2)}, 4);
  check("ABDFG", {kAB, kBD, edge("DF", 2), edge("FG")}, 11);
  check("ABDEG", {kAB, kBD, edge("DE", 1), edge("EG")}, 5);
  check("ACDEG", {kAC, kCD, edge("DE", 1), edge("EG")}, 6);
}

TEST(PaperFigures, DeltaPathCountsDependOnTheOrderOfMethods) {
  // Figure 4 with F before E (here E is F's number and F is E's) and F's in-edges as C, D'.
  CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, kAC, kBD, kCD, edge("CE", 2), edge("CG", 2),
                          edge("DF", 2), edge("DE", 2), edge("DF", 1), edge("FG"), edge("EG")}) {
    graph.add(e);
  }
  const DeltaPathNumbering numbering = number_sites(graph, {});
  EXPECT_EQ(numbering.inflated_count(letter('E'), kRootMethod), 3u);
  EXPECT_EQ(numbering.inflated_count(letter('F'), kRootMethod), 5u);
}

DeltaPathOptions figure_5_anchors() {
  DeltaPathOptions options;
  options.numbering.forced_anchors = {letter('A'), letter('C'), letter('D')};
  return options;
}

TEST(PaperFigures, DeltaPathNumbersFigure5PerAnchor) {
  const CallGraph graph = figure_4();
  const DeltaPathNumbering numbering = number_sites(graph, figure_5_anchors().numbering);
  EXPECT_EQ(numbering.inflated_count(letter('E'), letter('D')), 2u);
  EXPECT_EQ(numbering.inflated_count(letter('F'), letter('C')), 1u);
  EXPECT_EQ(numbering.inflated_count(letter('F'), letter('D')), 2u);
  EXPECT_EQ(numbering.inflated_count(letter('G'), letter('C')), 3u);
  EXPECT_EQ(numbering.inflated_count(letter('G'), letter('D')), 4u);
  EXPECT_EQ(addition(graph, numbering, edge("CF", 2)), 0u);
  EXPECT_EQ(addition(graph, numbering, edge("DE", 1)), 0u);
  EXPECT_EQ(addition(graph, numbering, edge("DE", 2)), 1u);
  EXPECT_EQ(addition(graph, numbering, edge("EG")), 0u);
  EXPECT_EQ(addition(graph, numbering, edge("FG")), 2u);
  EXPECT_EQ(addition(graph, numbering, kCD), 0u);
}

TEST(PaperFigures, DeltaPathAnchorsOfFigure5ArePushed) {
  DeltaPathEncoder deltapath(figure_4(), figure_5_anchors());
  const auto check = [&](std::string_view path, std::initializer_list<EdgeKey> steps,
                         std::string_view anchors, std::uint64_t id) {
    auto& thread = enter(deltapath, 'A', steps);
    std::string pushed;
    for (const auto& entry : thread.entries) pushed += letters({entry.edge});
    EXPECT_EQ(pushed, anchors) << path;
    EXPECT_EQ(thread.id, id) << path;
    EXPECT_EQ(decoded_letters(deltapath, token_of(deltapath, thread)), path);
  };
  check("ACFG", {kAC, edge("CF", 2), edge("FG")}, "AC", 2);
  check("ABDFG", {kAB, kBD, edge("DF", 2), edge("FG")}, "AD", 3);
  check("ACDEG", {kAC, kCD, edge("DE", 1), edge("EG")}, "ACD", 0);
}

// Figure 6: AB AC BD CE are known; X is loaded later and called by B's site for D.
CallGraph figure_6() {
  CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, kAC, kBD, edge("CE")}) graph.add(e);
  return graph;
}

TEST(PaperFigures, DeltaPathPushesTheUnexpectedPathOfFigure6) {
  DeltaPathEncoder deltapath(figure_6());
  auto& thread = enter(deltapath, 'A', {kAB, edge("BX"), edge("XE")});
  ASSERT_EQ(thread.entries.size(), 1u);
  EXPECT_EQ(callee_of(thread.entries[0].edge), letter('E'));
  EXPECT_EQ(thread.id, 0u);
  EXPECT_EQ(decoded_letters(deltapath, token_of(deltapath, thread)), "ABE");
}

TEST(PaperFigures, DeltaPathLetsTheBenignPathOfFigure6Pass) {
  DeltaPathEncoder deltapath(figure_6());
  auto& thread = enter(deltapath, 'A', {kAB, edge("BX"), edge("XD")});
  EXPECT_TRUE(thread.entries.empty());
  EXPECT_EQ(thread.id, 0u);
  EXPECT_EQ(decoded_letters(deltapath, token_of(deltapath, thread)), "ABD");
}

TEST(PaperFigures, DeltaPathLeavesTheLibraryOfFigure7Out) {
  // The application is A, B, G; D and F are a library that was not analysed.
  CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, edge("AG", 2)}) graph.add(e);
  DeltaPathEncoder deltapath(graph);
  auto& thread = enter(deltapath, 'A', {kAB, kBD, edge("DF"), edge("FG")});
  ASSERT_EQ(thread.entries.size(), 1u);
  EXPECT_EQ(callee_of(thread.entries[0].edge), letter('G'));
  EXPECT_EQ(decoded_letters(deltapath, token_of(deltapath, thread)), "ABG");
}

TEST(PaperFigures, DacceSlidesEncodeAbdeicei) {
  // maxID 4 comes from H, which five sites of A can call; G's two sites give EI the value 2.
  CallGraph known;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, kBD, edge("DE"), edge("AG", 3),
                          edge("GI", 1), edge("GI", 2), edge("EI", 1)}) {
    known.add(e, 0);
  }
  for (std::uint16_t site = 4; site < 9; ++site) known.add(edge("AH", site), 0);
  DacceEncoder dacce(known, DacceOptions::never());
  ASSERT_EQ(dacce.max_id(), 4u);
  auto& thread = enter(dacce, 'A', {});
  std::vector<std::uint64_t> ids = {thread.id};
  for (const EdgeKey e :
       {kAB, kBD, edge("DE"), edge("EI", 1), edge("IC"), edge("CE"), edge("EI", 1)}) {
    dacce.call(thread, e);
    ids.push_back(thread.id);
  }
  EXPECT_EQ(ids, (std::vector<std::uint64_t>{0, 0, 0, 0, 2, 5, 5, 7}));
  ASSERT_EQ(thread.helper.size(), 2u);
  EXPECT_EQ(thread.helper[0].saved, 2u);
  EXPECT_EQ(thread.helper[0].edge, edge("IC"));
  EXPECT_EQ(thread.helper[1].saved, 5u);
  EXPECT_EQ(thread.helper[1].edge, edge("CE"));
  EXPECT_EQ(decoded_letters(dacce, token_of(dacce, thread)), "ABDEICEI");
}

TEST(PaperFigures, DacceSelfRecursionTakesTwoEntriesAtAnyDepth) {
  CallGraph known;
  known.add(entry_edge(letter('A')));
  known.add(kAB);
  DacceEncoder dacce(known, DacceOptions::never());
  auto& thread = enter(dacce, 'A', {kAB});
  for (int depth = 0; depth < 100; ++depth) dacce.call(thread, edge("BB"));
  ASSERT_EQ(thread.helper.size(), 2u);
  EXPECT_EQ(thread.helper[0].repeats, 1u);
  EXPECT_EQ(thread.helper[1].repeats, 99u);
  const Result<CallPath> path = dacce.decode(token_of(dacce, thread));
  ASSERT_TRUE(path.ok()) << path.message();
  EXPECT_EQ(path->size(), 102u);
}

TEST(PaperFigures, LuceExample3) {
  for (const LuceOptions& options : {LuceOptions::literal(), LuceOptions()}) {
    LuceEncoder luce(options);
    const auto code = [&](char entry, std::initializer_list<EdgeKey> steps) {
      return enter(luce, entry, steps).frames.back().at.code;
    };
    EXPECT_EQ(code('A', {kAB, edge("BC", 1), edge("CE")}), 0u);
    EXPECT_EQ(code('A', {kAB, edge("BD", 2), edge("DE")}), 1u);
    auto& thread = enter(luce, 'X', {edge("XB"), edge("BD", 2), edge("DE")});
    EXPECT_EQ(thread.frames.back().at.code, 2u);
    EXPECT_EQ(decoded_letters(luce, token_of(luce, thread)), "XBDE");
  }
}

TEST(PaperFigures, LuceExample4) {
  // P stands for the paper's A'.
  LuceEncoder luce(LuceOptions::literal());
  enter(luce, 'A', {kAB, edge("BC"), edge("CD")});
  const std::initializer_list<EdgeKey> steps = {edge("PB"), edge("BC"), edge("CD"), edge("DB"),
                                                edge("BC")};
  const std::vector<std::uint64_t> expected = {1, 1, 1, 3, 3};
  auto& thread = enter(luce, 'P', {});
  std::size_t i = 0;
  for (const EdgeKey step : steps) {
    luce.call(thread, step);
    EXPECT_EQ(thread.frames.back().at.code, expected[i]) << i;
    ++i;
  }
  EXPECT_EQ(decoded_letters(luce, token_of(luce, thread)), "PBCDBC");
}

std::uint64_t log_of_call_loop(const LuceOptions& options) {
  LuceEncoder luce(options);
  auto& thread = enter(luce, 'A', {});
  for (int i = 0; i < 1000; ++i) {
    for (const EdgeKey step : {kAB, edge("BC"), edge("CD")}) luce.call(thread, step);
    luce.unwind(thread, 3);
  }
  return luce.graph().log_entries();
}

TEST(PaperFigures, LuceLogGrowsForEverWithoutRecursionUnlessVersionsAreCanonical) {
  LuceOptions conditional, unversioned;
  conditional.bump = LuceBump::kIfIssued;
  unversioned.bump = LuceBump::kNeverForCallerVersion;
  EXPECT_EQ(log_of_call_loop(LuceOptions::literal()), 2007u);
  EXPECT_EQ(log_of_call_loop({}), 2014u);
  EXPECT_EQ(log_of_call_loop(conditional), 2014u);
  EXPECT_EQ(log_of_call_loop(LuceOptions::canonical()), 16u);
  EXPECT_EQ(log_of_call_loop(unversioned), 18u);
}

TEST(PaperFigures, SegmentNeedsFourRecordsForThatLoop) {
  SegmentEncoder segment(SegmentOptions::plain());
  auto& thread = enter(segment, 'A', {});
  for (int i = 0; i < 1000; ++i) {
    for (const EdgeKey step : {kAB, edge("BC"), edge("CD")}) segment.call(thread, step);
    segment.unwind(thread, 3);
  }
  EXPECT_EQ(segment.record_count(), 4u);
}

TEST(PaperFigures, SegmentRecursionConvergesAfterTheFirstTime) {
  SegmentEncoder segment(SegmentOptions::plain());
  for (int repetition = 0; repetition < 3; ++repetition) {
    auto& thread = enter(segment, 'A', {kAB});
    for (int depth = 0; depth < 160; ++depth) segment.call(thread, edge("BB"));
    EXPECT_EQ(segment.record_count(), 162u);
  }
  EXPECT_EQ(segment.largest_code(), 160u);
}

TEST(PaperFigures, RcceFactorial) {
  CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, edge("BB")}) graph.add(e);
  RcceEncoder rcce(graph);
  auto& thread = enter(rcce, 'A', {kAB});
  EXPECT_EQ(thread.id, 2u);
  for (const std::uint64_t id : {5u, 11u, 23u, 47u, 95u}) {
    rcce.call(thread, edge("BB"));
    EXPECT_EQ(thread.id, id);
  }
}

std::uint32_t depth_of_first_reset(std::uint64_t limit) {
  CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, edge("BB")}) graph.add(e);
  RcceOptions options;
  options.limit = limit;
  RcceEncoder rcce(graph, options);
  auto& thread = enter(rcce, 'A', {kAB});
  std::uint32_t depth = 1;
  while (thread.pieces.empty()) {
    rcce.call(thread, edge("BB"));
    ++depth;
  }
  return depth;
}

TEST(PaperFigures, RcceFactorialFits62FramesInSigned64BitsAnd30In32) {
  EXPECT_EQ(depth_of_first_reset((std::uint64_t{1} << 63) - 1), 63u);
  EXPECT_EQ(depth_of_first_reset((std::uint64_t{1} << 31) - 1), 31u);
}

TEST(PaperFigures, PccLosesAsManyContextsAsTheBirthdayBoundSays) {
  EXPECT_NEAR(expected_collisions(1e5, 32), 1.16, 0.01);
  EXPECT_NEAR(expected_collisions(1e6, 32), 116, 1);
  EXPECT_NEAR(expected_collisions(1e7, 32), 11'632, 1);
  EXPECT_NEAR(expected_collisions(1e8, 32), 1.155e6, 1e3);
}

}  // namespace
}  // namespace copse::encoders
