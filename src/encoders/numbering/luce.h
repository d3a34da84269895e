// Luce's numbering (encoders/scheme/luce_graph.h): sums of the callers' counts over a call graph that grows in versions
// as the program runs. A context of a piece is (method, Luce's code, version); decoding reads the graph as it was in
// that version.
//
// The word has no room for a version, so its code stands for both: each method's ranges of Luce codes, each given out
// in one version, are laid out one after the other (Block). Code 0 is the method as the first of a piece, in Luce's
// terms a call from ROOT. An edge's effect on a block never changes, so contexts keep their ids, and an edge is
// examined once per block.
//
// Differences from the paper, which real programs need. The graph has no cycle: Luce's counts double with every
// recursive call, for ever, so an edge that would close a cycle starts pieces. So does any edge into a method that has
// no code left, or whose counts would pass 2^62. The paper's three faults are corrected as in encoders/replay/luce.h
// (the call site is in the word, so it cannot go stale).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "encoders/numbering/context_number.h"
#include "encoders/numbering/method_order.h"
#include "encoders/numbering/numbering.h"
#include "encoders/scheme/luce_graph.h"

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
  SchemeFacts facts() const override;
  std::uint64_t bytes() const override;
  void save(wire::StateWriter& out) const override;
  void load(wire::StateReader& in) override;
  void keep_journal(NumberingJournal& journal) override { journal_ = &journal; }
  bool replay(const NumberingChange& change, MethodId last) override;

  // Returns Luce's code for a code of the method; std::nullopt if it was not given out.
  std::optional<encoders::LuceGraph::Code> luce_code(MethodId method, std::uint64_t code) const;
  const encoders::LuceGraph& graph() const noexcept { return graph_; }

 private:
  // Kind of a journal's change: a question that changed something, with its answer. The changes themselves would take
  // several times as much. `small`: the caller's code and, << 20, the callee's, or kStartsPiece; a word: the edge.
  static constexpr std::uint8_t kAsked = 0;
  static constexpr int kAnswerShift = 20;
  static constexpr std::uint64_t kStartsPiece = (std::uint64_t{1} << kAnswerShift) - 1;

  using LuceCode = encoders::LuceGraph::Code;

  // Maps Luce's codes [first, first + length) in one version to the word's codes [base, base + length).
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
    std::vector<std::uint32_t> in_order;  // indexes of blocks, ascending by version and first code
  };
  // Effect of an edge on a block of its caller.
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
  bool ran_out_ = false;                 // memory ran out during a change: no more changes are made
  std::uint64_t made_ = 0;               // cuts, starts, changes and blocks
  NumberingJournal* journal_ = nullptr;  // nullptr if none is kept
};

}  // namespace copse::encoders
