// Whatever the program, how its threads take turns and how much memory there is: an id decodes to
// the context it was given to, at once and at the end, and by the journal at any time after.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "encoders/ids/id_journal.h"
#include "encoders/ids/id_run.h"
#include "encoders/ids/id_tables.h"
#include "encoders/ids/id_threads.h"
#include "encoders/numbering/addition.h"
#include "encoders/numbering/dacce.h"
#include "encoders/numbering/id_decode.h"
#include "encoders/numbering/luce.h"
#include "encoders/numbering/rcce.h"
#include "encoders/numbering/segment.h"
#include "random_program.h"
#include "support/id_probe.h"
#include "support/plenty.h"
#include "support/test_scale.h"

namespace copse::ids {
namespace {

using encoders::ProgramShape;
using encoders::RandomProgram;
using encoders::TraceEvent;
using test::IdProbe;
using test::kPlenty;

struct Thread {
  std::unique_ptr<IdProbe> probe;
  CallPath path;
};

// Plays a program's trace and checks every call's id.
class Player {
 public:
  Player(const RandomProgram& program, std::uint64_t most_bytes,
         encoders::SegmentNumberingOptions ranges = {})
      : Player(program, most_bytes, std::make_unique<encoders::SegmentNumbering>(ranges),
               std::make_unique<encoders::SegmentNumbering>(ranges)) {}
  // `again`: takes what the journal has.
  Player(const RandomProgram& program, std::uint64_t most_bytes,
         std::unique_ptr<encoders::CodeNumbering> numbering,
         std::unique_ptr<encoders::CodeNumbering> again)
      : tables_(shadowstack::anonymous_memory(), numbers_, most_bytes, std::move(numbering)),
        headers_(shadowstack::anonymous_memory(), kLostNumber),
        again_(std::move(again)),
        pieces_again_(again_->slots() == encoders::SlotKind::kEpochMappings),
        random_(program.trace.size()) {
    tables_.keep_journal(shadowstack::anonymous_memory(), run_);
    const auto methods = static_cast<std::uint32_t>(program.sites.size() - 1);
    std::uint32_t most_sites = 0;
    for (const auto& sites : program.sites) {
      most_sites = std::max(most_sites, static_cast<std::uint32_t>(sites.size()));
    }
    places_ = test::places(numbers_, methods, most_sites);
  }

  void play(const encoders::Trace& trace) {
    for (const TraceEvent& event : trace) {
      Thread& thread = threads_[event.thread];
      switch (event.kind) {
        case TraceEvent::Kind::kStart:
          thread.probe = std::make_unique<IdProbe>(tables_, places_, headers_.attach(1, "random"));
          break;
        case TraceEvent::Kind::kCall:
          thread.path.push_back(event.edge);
          keep(thread.probe->down(site_of(event.edge).ordinal, callee_of(event.edge)), thread.path);
          break;
        case TraceEvent::Kind::kReturn:
          leave(thread, 1);
          break;
        case TraceEvent::Kind::kUnwind:
          leave(thread, event.frames);
          break;
        case TraceEvent::Kind::kEnd:
        case TraceEvent::Kind::kToken:
          break;
      }
      if (testing::Test::HasFailure()) return;
    }
    for (const auto& [id, path] : path_of_) expect_context(id, path, "at the end");
    EXPECT_EQ(tables_.stats().lost_entries, lost_);
    EXPECT_EQ(run_.entries_lost, lost_);
    read_journal();
    for (const auto& [id, path] : path_of_) {
      expect_by_journal(id, path);
      // A context has one id in every epoch.
      const auto key = std::pair(path, pieces_again_.epoch_of(encoders::id_piece(id)));
      EXPECT_EQ(id_of_.try_emplace(key, id).first->second, id) << "two ids for one context";
    }
  }

  std::uint64_t lost() const { return lost_; }
  const IdTables& tables() const { return tables_; }

 private:
  void keep(std::uint64_t word, const CallPath& path) {
    const std::uint64_t id = tables_.id_of(word);
    if (id == 0) {
      ++lost_;
      return;
    }
    expect_context(id, path, "at once");
    const auto [entry, is_new] = path_of_.try_emplace(id, path);
    EXPECT_EQ(entry->second, path) << "one id for two contexts";
    tables_.collect(id);
    if (is_new && random_() % 16 == 0) {
      read_journal();
      expect_by_journal(id, path);
    }
  }

  // Replays what was added since the last time.
  void read_journal() {
    const auto* const words = reinterpret_cast<const std::uint64_t*>(run_.journal.address);
    const ReplayedJournal replayed =
        replay_journal({words + words_read_, run_.journal.words - words_read_},
                       MethodId{kMaxMethodId}, *again_, pieces_again_);
    ASSERT_TRUE(replayed.status.ok()) << replayed.status.message();
    words_read_ = run_.journal.words;
    changes_read_ += replayed.changes;
    EXPECT_EQ(changes_read_, run_.journal.changes);
    EXPECT_EQ(run_.journal.lost, 0u);
  }

  void expect_by_journal(std::uint64_t id, const CallPath& path) {
    const Result<CallPath> decoded = encoders::decode_id(*again_, pieces_again_, id);
    ASSERT_TRUE(decoded.ok()) << "by the journal: " << decoded.message();
    ASSERT_EQ(to_string(*decoded), to_string(path)) << "by the journal";
  }

  void expect_context(std::uint64_t id, const CallPath& path, const char* when) {
    const Result<CallPath> decoded = tables_.decode(id);
    ASSERT_TRUE(decoded.ok()) << when << ": " << decoded.message();
    ASSERT_EQ(to_string(*decoded), to_string(path)) << when;
  }

  static void leave(Thread& thread, std::size_t frames) {
    thread.path.resize(thread.path.size() - frames);
    thread.probe->up(thread.path.size());
  }

  SiteNumbers numbers_;
  IdTables tables_;
  IdThreads headers_;
  std::vector<std::uint32_t> places_;
  std::map<ThreadIndex, Thread> threads_;
  std::map<std::uint64_t, CallPath> path_of_;
  std::map<std::pair<CallPath, std::uint64_t>, std::uint64_t> id_of_;
  std::uint64_t lost_ = 0;
  IdRun run_{};
  std::unique_ptr<encoders::CodeNumbering> again_;
  encoders::IdPieceList pieces_again_;
  std::uint64_t words_read_ = 0;
  std::uint64_t changes_read_ = 0;
  std::mt19937_64 random_;
};

constexpr std::uint64_t kPrograms = 30;

const std::vector<std::pair<const char*, ProgramShape>>& shapes() {
  static const std::vector<std::pair<const char*, ProgramShape>> all = {
      {"small", {.several_entries = true, .threads = 3}},
      {"large", {.max_methods = 60, .several_entries = true, .threads = 4, .events = 2000}},
      {"recursive",
       {.fan_out = 4, .recursion = 0.8, .threads = 4, .events = 5000, .max_depth = 300}},
      {"polymorphic", {.max_methods = 30, .polymorphism = 0.9, .threads = 3, .events = 2000}},
      {"throwing", {.threads = 4, .events = 1000, .unwinds = 0.3}}};
  return all;
}

TEST(ContextId, DecodesToTheContextOfEveryEntryInEveryThread) {
  std::uint64_t pieces = 0;
  for (const auto& [name, shape] : shapes()) {
    for (std::uint64_t seed = 1; seed <= kPrograms * test::test_scale(); ++seed) {
      SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
      const RandomProgram program(seed, shape);
      // Every other program runs out of codes early.
      Player player(
          program, kPlenty,
          seed % 2 == 0
              ? encoders::SegmentNumberingOptions{.most_codes = 20, .longest = 4, .reserve = 1}
              : encoders::SegmentNumberingOptions());
      player.play(program.trace);
      EXPECT_EQ(player.lost(), 0u);
      if (HasFailure()) return;
      pieces += player.tables().stats().pieces;
    }
  }
  EXPECT_GT(pieces, 10000u) << "these programs hardly recur";
}

// Ids are this run's plus one, as if an earlier run had met everything in another order; some
// methods and call sites are withheld.
class ShiftedNames final : public graph::GraphNames {
 public:
  ShiftedNames(std::uint64_t seed, unsigned withheld_percent)
      : seed_(seed), withheld_percent_(withheld_percent) {}

  std::optional<MethodId> method(MethodId method) override {
    if (is_withheld(raw(method))) return std::nullopt;
    return MethodId{raw(method) + 1};
  }
  std::optional<SiteOrdinal> site(MethodId caller, SiteOrdinal site) override {
    if (is_withheld(raw(caller) * std::uint64_t{977} + raw(site))) return std::nullopt;
    return SiteOrdinal{static_cast<std::uint16_t>(raw(site) + 1)};
  }
  // The program's edges in a graph that knows only what is not withheld.
  graph::CallGraph graph_of(const RandomProgram& program) {
    graph::CallGraph graph;
    for (const TraceEvent& event : program.trace) {
      if (event.kind != TraceEvent::Kind::kCall) continue;
      CallSite at = site_of(event.edge);
      const auto callee = method(callee_of(event.edge));
      const bool from_root = at.caller == kRootMethod;
      const auto caller = from_root ? at.caller : method(at.caller);
      const auto ordinal = at.ordinal == kNoSite ? kNoSite : site(at.caller, at.ordinal);
      if (callee && caller && ordinal) graph.add(edge_key({*caller, *ordinal}, *callee));
    }
    return graph;
  }

 private:
  bool is_withheld(std::uint64_t what) const {
    return std::mt19937_64(seed_ * 1'000'003 + what)() % 100 < withheld_percent_;
  }

  std::uint64_t seed_;
  unsigned withheld_percent_;
};

std::unique_ptr<encoders::CodeNumbering> static_numbering(std::string_view scheme,
                                                          graph::CallGraph graph,
                                                          std::unique_ptr<graph::GraphNames> names,
                                                          std::uint64_t most_codes) {
  if (scheme == encoders::RcceNumbering::kName) {
    return std::make_unique<encoders::RcceNumbering>(std::move(graph), std::move(names));
  }
  encoders::GraphAdditions additions = scheme == encoders::kPcceName
                                           ? encoders::pcce_additions(graph, most_codes)
                                           : encoders::deltapath_additions(graph, most_codes);
  return std::make_unique<encoders::AdditionNumbering>(scheme, std::move(graph),
                                                       std::move(additions), std::move(names));
}

TEST(ContextId, OfAStaticSchemeDecodesWhateverTheGraphLacks) {
  for (const std::string_view scheme :
       {encoders::kPcceName, encoders::kDeltaPathName, encoders::RcceNumbering::kName}) {
    std::uint64_t pieces = 0;
    std::uint64_t edges = 0;
    for (const auto& [name, shape] : shapes()) {
      for (std::uint64_t seed = 1; seed <= kPrograms / 3 * test::test_scale(); ++seed) {
        SCOPED_TRACE(std::string(scheme) + ", " + name + ", seed " + std::to_string(seed));
        const RandomProgram program(seed, shape);
        auto names = std::make_unique<ShiftedNames>(seed, seed % 3 == 0 ? 0 : 2 * seed % 40);
        graph::CallGraph graph = names->graph_of(program);
        const std::uint64_t most_codes = seed % 2 == 0 ? 12 : encoders::kMostIdCodes;
        Player player(program, kPlenty,
                      static_numbering(scheme, std::move(graph), std::move(names), most_codes),
                      static_numbering(scheme, {}, nullptr, most_codes));
        player.play(program.trace);
        EXPECT_EQ(player.lost(), 0u);
        if (HasFailure()) return;
        pieces += player.tables().stats().pieces;
        edges += player.tables().stats().ranges;
        if (scheme != encoders::RcceNumbering::kName) {
          EXPECT_LT(player.tables().stats().largest_code, most_codes);
        }
      }
    }
    EXPECT_GT(pieces, 500u);
    EXPECT_GT(edges, 500u);
  }
}

TEST(ContextId, OfDacceDecodesThroughEveryEpoch) {
  std::uint64_t most_epochs = 0;
  std::uint64_t edges = 0;
  for (const auto& [name, shape] : shapes()) {
    for (std::uint64_t seed = 1; seed <= kPrograms / 2 * test::test_scale(); ++seed) {
      SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
      const RandomProgram program(seed, shape);
      const encoders::DacceNumberingOptions options{.first_edges = 1 + seed % 7,
                                                    .first_pieces = 3 + seed % 50,
                                                    .first_heat = seed % 5,
                                                    .growth = 1 + seed % 2};
      Player player(program, kPlenty, std::make_unique<encoders::DacceNumbering>(options),
                    std::make_unique<encoders::DacceNumbering>());
      player.play(program.trace);
      EXPECT_EQ(player.lost(), 0u);
      if (HasFailure()) return;
      most_epochs = std::max(most_epochs, player.tables().stats().epochs);
      edges += player.tables().stats().ranges;
    }
  }
  EXPECT_GT(most_epochs, 8u);
  EXPECT_GT(edges, 500u);
}

TEST(ContextId, OfLuceDecodesInEveryVersion) {
  std::uint64_t pieces = 0;
  std::uint64_t most_codes = 0;
  for (const auto& [name, shape] : shapes()) {
    for (std::uint64_t seed = 1; seed <= kPrograms / 2 * test::test_scale(); ++seed) {
      SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
      const RandomProgram program(seed, shape);
      // Every other program runs out of codes early.
      encoders::LuceNumberingOptions options{.longest = 1u << seed % 8};
      if (seed % 2 == 0) options.most_codes = 20;
      Player player(program, kPlenty, std::make_unique<encoders::LuceNumbering>(options),
                    std::make_unique<encoders::LuceNumbering>(options));
      player.play(program.trace);
      EXPECT_EQ(player.lost(), 0u);
      if (HasFailure()) return;
      pieces += player.tables().stats().pieces;
      most_codes = std::max(most_codes, player.tables().stats().largest_code);
    }
  }
  EXPECT_GT(pieces, 10000u);
  EXPECT_GT(most_codes, 100u);
}

TEST(ContextId, IsRightOrLostWhereMemoryEnds) {
  std::uint64_t lost = 0;
  for (const auto& [name, shape] : shapes()) {
    for (std::uint64_t seed = 1; seed <= kPrograms * test::test_scale(); ++seed) {
      SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
      const RandomProgram program(seed, shape);
      const auto numbering = [seed]() -> std::unique_ptr<encoders::CodeNumbering> {
        if (seed % 2 == 0) return std::make_unique<encoders::LuceNumbering>();
        return std::make_unique<encoders::SegmentNumbering>();
      };
      Player player(program, 200 * (seed % 20), numbering(), numbering());
      player.play(program.trace);
      if (HasFailure()) return;
      lost += player.lost();
    }
  }
  EXPECT_GT(lost, 0u);
}

}  // namespace
}  // namespace copse::ids
