// The numbers printed in the papers: figures, examples and their decodings.
#include <gtest/gtest.h>

#include <algorithm>

#include "encoders/numbering/addition.h"
#include "encoders/numbering/dacce.h"
#include "encoders/numbering/rcce.h"
#include "encoders/numbering/segment.h"
#include "encoders/replay/deltapath.h"
#include "encoders/replay/luce.h"
#include "encoders/replay/pcc.h"
#include "encoders/replay/piece_encoder.h"
#include "encoders/replay/published_pcce.h"
#include "encoders/replay/published_rcce.h"
#include "encoders/replay/stack_encoder.h"
#include "encoders/scheme/path_numbering.h"
#include "letters.h"

namespace copse::encoders {
namespace {

constexpr EdgeKey kAB = edge("AB", 1), kAC = edge("AC", 2), kBD = edge("BD"), kCD = edge("CD", 1);

// DeltaPath Figure 1, in-edges in the paper's order: E (D, D'), F (D, C), G (E, F, C).
graph::CallGraph figure_1() {
  graph::CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, kAC, kBD, kCD, edge("DE", 1), edge("DE", 2),
                          edge("DF", 3), edge("CF", 2), edge("EG"), edge("FG"), edge("CG", 3)}) {
    graph.add(e, 0);
  }
  return graph;
}

TEST(PaperFigures, PcceNumbersFigure1OfDeltaPath) {
  const graph::CallGraph graph = figure_1();
  const PathNumbering numbering = number_paths(graph, {});
  const auto addition = [&](EdgeKey e) {
    return numbering.addition[static_cast<std::size_t>(graph.find(e))];
  };
  const std::vector<std::pair<char, std::uint64_t>> paths = {{'A', 1}, {'B', 1}, {'C', 1}, {'D', 2},
                                                             {'E', 4}, {'F', 3}, {'G', 8}};
  for (const auto& [method, count] : paths) {
    EXPECT_EQ(numbering.paths[raw(letter(method))], count) << method;
  }
  EXPECT_EQ(addition(kCD), 1u);
  EXPECT_EQ(addition(edge("DE", 2)), 2u);
  EXPECT_EQ(addition(edge("CF", 2)), 2u);
  EXPECT_EQ(addition(edge("FG")), 4u);
  EXPECT_EQ(addition(edge("CG", 3)), 7u);
  for (const EdgeKey e : {kAB, kAC, kBD, edge("DE", 1), edge("DF", 3), edge("EG")}) {
    EXPECT_EQ(addition(e), 0u);
  }
}

std::unique_ptr<CodeNumbering> pcce(const graph::CallGraph& graph) {
  return std::make_unique<AdditionNumbering>(kPcceName, graph, pcce_additions(graph));
}

TEST(PaperFigures, PcceGivesAcfgTheId6) {
  StackEncoder stack(pcce(figure_1()));
  auto& thread = enter(stack, 'A', {kAC, edge("CF", 2), edge("FG")});
  EXPECT_EQ(thread.frames.back().code, 6u);
  EXPECT_EQ(decoded_letters(stack, token_of(stack, thread)), "ACFG");
  PieceEncoder pieces(pcce(figure_1()));
  auto& walked = enter(pieces, 'A', {kAC, edge("CF", 2), edge("FG")});
  EXPECT_EQ(walked.frames.back().at, 6u);
  EXPECT_EQ(decoded_letters(pieces, token_of(pieces, walked)), "ACFG");
  PublishedPcceEncoder published(figure_1(), kMostIdCodes);
  auto& encoded = enter(published, 'A', {kAC, edge("CF", 2), edge("FG")});
  EXPECT_EQ(encoded.id, 6u);
  EXPECT_EQ(decoded_letters(published, token_of(published, encoded)), "ACFG");
  published.ret(encoded);
  EXPECT_EQ(encoded.id, 2u);
  published.unwind(encoded, 2);
  EXPECT_EQ(encoded.id, 0u);
}

std::uint64_t fact(const SchemeFacts& facts, std::string_view name) {
  const auto found = std::ranges::find(facts.values, name, &SchemeFact::name);
  return found == facts.values.end() ? ~std::uint64_t{0} : found->value;
}

// RCCE's Figure 5: A is main, B computes the factorial.
graph::CallGraph factorial() {
  graph::CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, edge("BB")}) graph.add(e);
  return graph;
}

// Figure 5 (c): the dummy edge has B's code 0, so that main's call gives 1.
TEST(PaperFigures, PublishedPcceFactorialRestartsAtItsDummyEdge) {
  PublishedPcceEncoder published(factorial(), kMostIdCodes);
  auto& thread = enter(published, 'A', {kAB});
  EXPECT_EQ(thread.id, 1u);
  EXPECT_EQ(decoded_letters(published, token_of(published, thread)), "AB");
  std::vector<std::uint64_t> pushed;
  for (const std::uint64_t before : {1u, 0u, 0u}) {
    published.call(thread, edge("BB"));
    pushed.push_back(before);
    EXPECT_EQ(thread.id, 0u);
    ASSERT_EQ(thread.entries.size(), pushed.size());
    for (std::size_t i = 0; i < pushed.size(); ++i) EXPECT_EQ(thread.entries[i].id, pushed[i]);
  }
  EXPECT_EQ(decoded_letters(published, token_of(published, thread)), "ABBBB");
  published.unwind(thread, 3);
  EXPECT_EQ(thread.id, 1u);
  EXPECT_TRUE(thread.entries.empty());
  const SchemeFacts facts = published.facts();
  EXPECT_EQ(fact(facts, "nodes"), 2u);
  EXPECT_EQ(fact(facts, "edges"), 2u);
  EXPECT_EQ(fact(facts, "back_edges"), 1u);
  EXPECT_EQ(fact(facts, "cut_edges"), 1u);
  EXPECT_EQ(fact(facts, "max_id"), 1u);
  EXPECT_EQ(fact(facts, "pushes"), 3u);
  EXPECT_EQ(fact(facts, "deepest_stack"), 3u);
}

// On our stack the pushed edge tells that B is at its start, and B has one code.
TEST(PaperFigures, PcceFactorialPushesAtEveryRecursiveCall) {
  const graph::CallGraph graph = factorial();
  const EdgeKey recursive = edge("BB");
  const PathNumbering paper = number_paths(graph, {.starts = ReservedStarts::kOnePerMethod});
  EXPECT_EQ(paper.addition[1], 1u);
  EXPECT_EQ(paper.paths[raw(letter('B'))], 2u);
  StackEncoder stack(pcce(graph));
  auto& thread = enter(stack, 'A', {kAB});
  EXPECT_EQ(thread.frames.back().height, 0u);
  for (std::uint32_t depth = 1; depth <= 2; ++depth) {
    stack.call(thread, recursive);
    EXPECT_EQ(thread.frames.back().code, 0u);
    EXPECT_EQ(thread.frames.back().height, depth);
  }
  EXPECT_EQ(decoded_letters(stack, token_of(stack, thread)), "ABBB");
}

// Figure 4: D' may call E or F, C's second site F or G; in-edges of G in the order C, E, F.
graph::CallGraph figure_4() {
  graph::CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, kAC, kBD, kCD, edge("DE", 1), edge("DE", 2),
                          edge("DF", 2), edge("CF", 2), edge("CG", 2), edge("EG"), edge("FG")}) {
    graph.add(e);
  }
  return graph;
}

std::uint64_t addition(const graph::CallGraph& graph, const DeltaPathNumbering& numbering,
                       EdgeKey e) {
  return numbering.addition[static_cast<std::size_t>(graph.find(e))];
}

TEST(PaperFigures, DeltaPathNumbersFigure4) {
  const graph::CallGraph graph = figure_4();
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

// The columns of Table 1. The sites D' and C's second have two targets each.
TEST(PaperFigures, DeltaPathGivesTheColumnsOfTable1ForFigure4) {
  const SchemeFacts facts = DeltaPathEncoder(figure_4()).facts();
  EXPECT_EQ(fact(facts, "nodes"), 7u);
  EXPECT_EQ(fact(facts, "edges"), 11u);
  EXPECT_EQ(fact(facts, "call_sites"), 9u);
  EXPECT_EQ(fact(facts, "virtual_call_sites"), 2u);
  EXPECT_EQ(fact(facts, "max_id"), 13u);
  EXPECT_EQ(fact(facts, "anchors"), 1u);
  EXPECT_EQ(fact(facts, "largest_territory"), 8u) << "ROOT, too";
  EXPECT_EQ(fact(facts, "unexpected_calls"), 0u);
}

TEST(PaperFigures, DeltaPathCountsDependOnTheOrderOfMethods) {
  // Figure 4 with F before E (here E is F's number and F is E's) and F's in-edges as C, D'.
  graph::CallGraph graph;
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
  const graph::CallGraph graph = figure_4();
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
graph::CallGraph figure_6() {
  graph::CallGraph graph;
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
  EXPECT_EQ(deltapath.stack_height(thread).entries, 1u);
  EXPECT_EQ(deltapath.stack_height(thread).unexpected, 1u);
  EXPECT_EQ(fact(deltapath.facts(), "unexpected_calls"), 1u);
  EXPECT_EQ(fact(deltapath.facts(), "pushes"), 1u);
}

// In pieces nothing is left out: X's call, which the graph lacks, and the call by X begin one each.
TEST(PaperFigures, DeltaPathInPiecesCountsTheUnexpectedCallsOfFigure6) {
  PieceEncoder pieces(std::make_unique<AdditionNumbering>(kDeltaPathName, figure_6(),
                                                          deltapath_additions(figure_6())));
  auto& known = enter(pieces, 'A', {kAC, edge("CE")});
  EXPECT_EQ(pieces.stack_height(known).entries, 0u);
  EXPECT_EQ(pieces.stack_height(known).unexpected, 0u);
  pieces.unwind(known, 3);
  auto& thread = enter(pieces, 'A', {kAB, edge("BX"), edge("XE")});
  EXPECT_EQ(decoded_letters(pieces, token_of(pieces, thread)), "ABXE");
  EXPECT_EQ(pieces.stack_height(thread).entries, 2u);
  EXPECT_EQ(pieces.stack_height(thread).unexpected, 2u);
  const SchemeFacts facts = pieces.facts();
  EXPECT_EQ(fact(facts, "nodes"), 5u);
  EXPECT_EQ(fact(facts, "edges"), 4u);
  EXPECT_EQ(fact(facts, "call_sites"), 4u);
  EXPECT_EQ(fact(facts, "virtual_call_sites"), 0u);
  EXPECT_EQ(fact(facts, "max_id"), 0u) << "no method has two callers";
  EXPECT_EQ(fact(facts, "unexpected_edges"), 2u);
  EXPECT_EQ(fact(facts, "unexpected_paths"), 2u);
  EXPECT_EQ(fact(facts, "breakpoints"), 2u);
  EXPECT_EQ(fact(facts, "breakpoint_edges"), 2u);
  EXPECT_EQ(fact(facts, "deepest_stack"), 2u);
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
  graph::CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), kAB, edge("AG", 2)}) graph.add(e);
  DeltaPathEncoder deltapath(graph);
  auto& thread = enter(deltapath, 'A', {kAB, kBD, edge("DF"), edge("FG")});
  ASSERT_EQ(thread.entries.size(), 1u);
  EXPECT_EQ(callee_of(thread.entries[0].edge), letter('G'));
  EXPECT_EQ(decoded_letters(deltapath, token_of(deltapath, thread)), "ABG");
}

// Calls every edge from ROOT's own code, so that the graph knows them, and begins an epoch.
std::unique_ptr<CodeNumbering> dacce(const std::vector<EdgeKey>& known) {
  constexpr std::uint64_t kNever = std::uint64_t{1} << 40;
  auto numbering = std::make_unique<DacceNumbering>(
      DacceNumberingOptions{.first_edges = kNever, .first_pieces = kNever});
  for (const EdgeKey e : known) numbering->mapping(e, 0);
  numbering->begin_epoch();
  return numbering;
}

// On the slides a push sets the id to maxID + 1, here 5, and EI then gives 7; ours sets it to 0,
// since the pushed edge tells that C and E are at a start.
TEST(PaperFigures, DacceSlidesEncodeAbdeicei) {
  const std::vector<EdgeKey> known = {
      entry_edge(letter('A')), kAB,           kBD,           edge("DE"),
      edge("AG", 3),           edge("GI", 1), edge("GI", 2), edge("EI", 1)};
  StackEncoder stack(dacce(known));
  auto& thread = enter(stack, 'A', {});
  std::vector<std::uint64_t> ids = {thread.frames.back().code};
  for (const EdgeKey e :
       {kAB, kBD, edge("DE"), edge("EI", 1), edge("IC"), edge("CE"), edge("EI", 1)}) {
    stack.call(thread, e);
    ids.push_back(thread.frames.back().code);
  }
  EXPECT_EQ(ids, (std::vector<std::uint64_t>{0, 0, 0, 0, 2, 0, 0, 2}));
  const std::vector<EpochFacts> epochs = stack.facts().epochs;
  ASSERT_EQ(epochs.size(), 2u);
  EXPECT_EQ(fact(stack.facts(), "reencodings"), 1u);
  EXPECT_EQ(epochs[0].trigger, "start");
  EXPECT_EQ(epochs[0].max_id, 0u);
  EXPECT_EQ(epochs[1].trigger, "request");
  EXPECT_EQ(epochs[1].edges, known.size());
  EXPECT_EQ(epochs[1].max_id, 2u);
  ASSERT_EQ(thread.frames.back().height, 2u);
  EXPECT_EQ(thread.entries[0].code, 2u);
  EXPECT_EQ(thread.entries[0].edge, edge("IC"));
  EXPECT_EQ(thread.entries[1].code, 0u);
  EXPECT_EQ(thread.entries[1].edge, edge("CE"));
}

// The slides' two: the first push is from code 0 of B's caller's graph, all others are equal. With
// restarts at 0 the first is equal to them, too.
TEST(PaperFigures, DacceSelfRecursionTakesOneEntryOfATokenAtAnyDepth) {
  StackEncoder stack(dacce({entry_edge(letter('A')), kAB}));
  auto& thread = enter(stack, 'A', {kAB});
  for (int depth = 0; depth < 100; ++depth) stack.call(thread, edge("BB"));
  EXPECT_EQ(thread.frames.back().height, 100u);
  const Token token = token_of(stack, thread);
  EXPECT_EQ(token.size(), 16u + 20u);
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
  EXPECT_EQ(log_of_call_loop(LuceOptions::literal()), 2010u);
  EXPECT_EQ(log_of_call_loop({}), 2014u);
  EXPECT_EQ(log_of_call_loop(conditional), 2014u);
  EXPECT_EQ(log_of_call_loop(LuceOptions::canonical()), 16u);
  EXPECT_EQ(log_of_call_loop(unversioned), 18u);
}

TEST(PaperFigures, SegmentNeedsFourRecordsForThatLoop) {
  PieceEncoder segment(std::make_unique<SegmentNumbering>());
  auto& thread = enter(segment, 'A', {});
  for (int i = 0; i < 1000; ++i) {
    for (const EdgeKey step : {kAB, edge("BC"), edge("CD")}) segment.call(thread, step);
    segment.unwind(thread, 3);
  }
  EXPECT_EQ(segment.numbering().mapping_count(), 4u);
  EXPECT_EQ(segment.pieces().count(), 0u);
}

TEST(PaperFigures, SegmentRecursionConvergesAfterTheFirstTime) {
  PieceEncoder segment(std::make_unique<SegmentNumbering>());
  for (int repetition = 0; repetition < 3; ++repetition) {
    auto& thread = enter(segment, 'A', {kAB});
    for (int depth = 0; depth < 160; ++depth) segment.call(thread, edge("BB"));
    EXPECT_EQ(segment.numbering().mapping_count(), 2u);
    EXPECT_EQ(segment.pieces().count(), 160u);
  }
}

std::unique_ptr<CodeNumbering> rcce_factorial(std::uint64_t most_codes) {
  return std::make_unique<RcceNumbering>(factorial(), nullptr,
                                         RcceNumberingOptions{.most_codes = most_codes});
}

// A code is the paper's id less 1.
TEST(PaperFigures, RcceFactorial) {
  StackEncoder rcce(rcce_factorial(std::uint64_t{1} << 62));
  auto& thread = enter(rcce, 'A', {kAB});
  EXPECT_EQ(thread.frames.back().code + 1, 2u);
  for (const std::uint64_t id : {5u, 11u, 23u, 47u, 95u}) {
    rcce.call(thread, edge("BB"));
    EXPECT_EQ(thread.frames.back().code + 1, id);
  }
}

// Figure 5 (b), for the published form with and without the check. Returns divide.
// Entries on the stack of main's call of B and `depth` - 1 recursive ones, in pieces.
std::uint64_t entries_at(std::unique_ptr<CodeNumbering> numbering, int depth) {
  PieceEncoder pieces(std::move(numbering));
  auto& thread = enter(pieces, 'A', {kAB});
  for (int level = 1; level < depth; ++level) pieces.call(thread, edge("BB"));
  return pieces.stack_height(thread).entries;
}

// 16 bits hold 3 * 2^(d-1) - 2 up to depth 15, and behind a breakpoint 2^(d+1) - 2 up to its 16th frame. An edge that
// closes a cycle has no number in the others.
TEST(PaperFigures, EntriesOnTheStackGrowWithTheDepthOfRecursion) {
  for (const auto& [depth, entries] : {std::pair{1, 0u}, {15, 0u}, {16, 1u}, {31, 1u}, {32, 2u}}) {
    EXPECT_EQ(entries_at(rcce_factorial(kMostIdCodes), depth), entries) << depth;
  }
  for (const int depth : {1, 2, 100}) {
    const auto cut = static_cast<std::uint64_t>(depth - 1);
    EXPECT_EQ(entries_at(pcce(factorial()), depth), cut);
    EXPECT_EQ(entries_at(std::make_unique<AdditionNumbering>(kDeltaPathName, factorial(),
                                                             deltapath_additions(factorial())),
                         depth),
              cut);
    EXPECT_EQ(entries_at(dacce({entry_edge(letter('A')), kAB, edge("BB")}), depth), cut);
  }
}

TEST(PaperFigures, PublishedRcceFactorial) {
  for (const bool checks : {true, false}) {
    PublishedRcceEncoder rcce(factorial(), {.checks_overflow = checks});
    auto& thread = enter(rcce, 'A', {});
    EXPECT_EQ(thread.id, 1u);
    rcce.call(thread, kAB);
    EXPECT_EQ(thread.id, 2u);
    for (const std::uint64_t id : {5u, 11u, 23u, 47u, 95u}) {
      rcce.call(thread, edge("BB"));
      EXPECT_EQ(thread.id, id);
    }
    EXPECT_EQ(decoded_letters(rcce, token_of(rcce, thread)), "ABBBBBB");
    for (const std::uint64_t id : {47u, 23u, 11u, 5u, 2u, 1u}) {
      rcce.ret(thread);
      EXPECT_EQ(thread.id, id);
    }
    EXPECT_EQ(decoded_letters(rcce, token_of(rcce, thread)), "A");
  }
}

// At depth 5 the id would be 47. It is pushed and reset to 1; the way back pops it where it is 1.
TEST(PaperFigures, PublishedRccePushesWhereTheIdOverflows) {
  PublishedRcceEncoder rcce(factorial(), {.largest_id = 40});
  auto& thread = enter(rcce, 'A', {kAB});
  std::vector<std::uint64_t> ids;
  for (int depth = 0; depth < 6; ++depth) {
    rcce.call(thread, edge("BB"));
    ids.push_back(thread.id);
  }
  EXPECT_EQ(ids, (std::vector<std::uint64_t>{5, 11, 23, 1, 3, 7}));
  ASSERT_EQ(thread.entries.size(), 1u);
  EXPECT_EQ(thread.entries[0].id, 23u);
  EXPECT_EQ(thread.entries[0].caller, letter('B'));
  rcce.unwind(thread, 3);
  EXPECT_EQ(thread.id, 23u);
  EXPECT_TRUE(thread.entries.empty());
}

// An id that has wrapped stays wrong behind the call, because division does not undo it.
TEST(PaperFigures, PublishedRcceMinusStaysWrongAfterItsIdHasWrapped) {
  PublishedRcceEncoder rcce(factorial(), {.checks_overflow = false});
  auto& thread = enter(rcce, 'A', {kAB});
  for (int depth = 0; depth < 70; ++depth) rcce.call(thread, edge("BB"));
  rcce.unwind(thread, 70);
  EXPECT_NE(thread.id, 2u);
}

std::uint32_t depth_of_first_reset(std::uint64_t limit) {
  StackEncoder rcce(rcce_factorial(limit));
  auto& thread = enter(rcce, 'A', {kAB});
  std::uint32_t depth = 1;
  while (thread.frames.back().height == 0) {
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
  EXPECT_EQ(expected_collisions(0, 32), 0);
  EXPECT_EQ(expected_collisions(1, 64), 0);
  EXPECT_NEAR(expected_collisions(2, 32), 1 / 4294967296.0, 1e-15);
  EXPECT_NEAR(expected_collisions(1e6, 64), 2.71e-8, 1e-10);
  EXPECT_NEAR(expected_collisions(1e5, 32), 1.16, 0.01);
  EXPECT_NEAR(expected_collisions(1e6, 32), 116, 1);
  EXPECT_NEAR(expected_collisions(1e7, 32), 11'632, 1);
  EXPECT_NEAR(expected_collisions(1e8, 32), 1.155e6, 1e3);
}

}  // namespace
}  // namespace copse::encoders
