// Luce's numbering (encoders/replay/luce_graph.h): sums of the callers' counts over a call graph that
// grows as the program runs, in versions. A context of a piece is (method, Luce's code, version),
// and decoding asks the graph as it was in that version.
//
// A version has no room in the word, so the word's code stands for both: per method, the ranges of
// Luce's codes that were given out, each in one version, lie one behind the other (Block). Code 0
// is the method's as the first of a piece, which in Luce's terms is a call from ROOT. What an edge
// does to a block never changes, so contexts keep their ids, and an edge is looked at once per
// block.
//
// Beside the paper, as real programs need it: the graph has no cycle. Luce's counts double with
// every recursive call, for ever, so an edge that would close a cycle starts pieces. Likewise any
// edge into a method that has no code left, or whose counts would pass 2^62. The paper's three
// faults are mended as in encoders/replay/luce.h (the call site is in the word: nothing can go stale).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "encoders/numbering/context_number.h"
#include "encoders/numbering/method_order.h"
#include "encoders/numbering/numbering.h"
#include "encoders/replay/luce_graph.h"

namespace copse::encoders {

struct LuceNumberingOptions {
  std::uint32_t most_codes = kMostIdCodes;  // per method, in all versions together
  std::uint32_t longest = 16;               // codes of a new block; a power of two
};

class LuceNumbering final : public CodeNumbering {
 public:
  static constexpr std::string_view kName = "luce";

  explicit LuceNumbering(LuceNumberingOptions options = {});

  std::string_view name() const noexcept override { return kName; }
  SlotKind slots() const noexcept override { return SlotKind::kMappings; }
  std::optional<Mapping> mapping(EdgeKey edge, std::uint64_t code) override;
  std::optional<Mapping> known_mapping(EdgeKey edge, std::uint64_t code) const override;
  std::optional<Step> step_to(MethodId method, std::uint64_t code, MethodId start) const override;
  std::uint64_t step_work(MethodId method) const noexcept override {
    return 1 + graph_.in_degree(method);
  }
  std::uint64_t mapping_count() const noexcept override;
  std::uint64_t largest_code() const noexcept override;
  std::uint64_t bytes() const override;
  void save(wire::StateWriter& out) const override;
  void load(wire::StateReader& in) override;
  void keep_journal(NumberingJournal& journal) override { journal_ = &journal; }
  bool replay(const NumberingChange& change, MethodId last) override;

  // What a code of the method stands for; nothing when it was not given out.
  std::optional<encoders::LuceGraph::Code> luce_code(MethodId method, std::uint64_t code) const;
  const encoders::LuceGraph& graph() const noexcept { return graph_; }

 private:
  // In a journal: a question that changed something, with its answer; the changes themselves would
  // take several times as much. `small`: the caller's code and, << 20, the callee's, or kStartsPiece;
  // a word: the edge.
  static constexpr std::uint8_t kAsked = 0;
  static constexpr int kAnswerShift = 20;
  static constexpr std::uint64_t kStartsPiece = (std::uint64_t{1} << kAnswerShift) - 1;

  using LuceCode = encoders::LuceGraph::Code;

  // Luce's codes [first, first + length) in one version are the word's [base, base + length).
  struct Block {
    std::uint64_t version;
    std::uint64_t first;
    std::uint32_t base;
    std::uint32_t length;
  };
  struct Method {
    std::optional<LuceCode> start;  // code 0
    std::uint32_t codes = 1;
    bool is_full = false;                 // gets no more blocks
    std::vector<Block> blocks;            // ascending by base, without gaps from 1 on
    std::vector<std::uint32_t> in_order;  // the blocks, ascending by version and first code
  };
  // What an edge does to a block of its caller.
  struct Change {
    std::uint64_t addition;
    std::uint64_t version;
  };

  static std::optional<Block> block_of(const Method& method, std::uint64_t code);
  static const Block* block_of(const Method& method, LuceCode at);
  static std::size_t place_of(const Method& method, LuceCode at);
  std::optional<Mapping> made_mapping(EdgeKey edge, std::uint64_t code);
  void note(EdgeKey edge, std::uint64_t code, const std::optional<Mapping>& answer) noexcept;
  static Mapping mapping_between(const Block& from, Change change, const Block& to);
  bool is_cut(EdgeKey edge);
  void add_start(MethodId id);
  bool add_block(MethodId id, LuceCode at);

  const LuceNumberingOptions options_;
  encoders::LuceGraph graph_;
  MethodOrder order_;
  FlatMap<EdgeKey, bool> cut_;
  FlatMap<PairKey, Change> changes_;     // by edge and the caller's block's base
  std::vector<Method> methods_;          // by id; ROOT is always there
  bool ran_out_ = false;                 // of memory, in mid-change: nothing is made any more
  std::uint64_t made_ = 0;               // cuts, starts, changes and blocks
  NumberingJournal* journal_ = nullptr;  // nullptr: none is kept
};

}  // namespace copse::encoders
