// RCCE's numbering (docs/encodings.md) over a call graph known before the run. A code, plus one, is a number of mixed
// radix: a call by the k-th of a method's s in-edges multiplies it by s and adds k. Recursion needs no piece; a piece
// starts where the product has no room, and at calls unknown to the graph.
//
// A method that ROOT does not reach has one in-edge more than the graph says, so that codes grow around every cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "encoders/numbering/context_number.h"
#include "encoders/numbering/numbering.h"
#include "graph/graph_edges.h"

namespace copse::encoders {

struct RcceNumberingOptions {
  std::uint64_t most_codes = kMostIdCodes;
  bool checks_room = true;  // false: RCCE-, whose products wrap
};

class RcceNumbering final : public CodeNumbering {
 public:
  static constexpr std::string_view kName = "rcce";

  RcceNumbering() = default;  // makes an empty numbering, to be loaded
  explicit RcceNumbering(graph::CallGraph graph, std::unique_ptr<graph::GraphNames> names = nullptr,
                         RcceNumberingOptions options = {});

  std::string_view name() const noexcept override { return kName; }
  SlotKind slots() const noexcept override { return SlotKind::kRadices; }
  std::optional<Mapping> mapping(EdgeKey edge, std::uint64_t code) override;
  std::optional<Mapping> known_mapping(EdgeKey edge, std::uint64_t code) const override;
  std::optional<Step> step_to(MethodId method, std::uint64_t code, MethodId start) const override;
  GraphUse graph_use() const noexcept override { return graph_.use(); }
  std::uint64_t mapping_count() const noexcept override { return bound_.size(); }
  std::uint64_t largest_code() const noexcept override { return options_.most_codes - 1; }
  std::optional<bool> knows(EdgeKey edge) const override;
  SchemeFacts facts() const override;
  std::uint64_t bytes() const override;
  void save(wire::StateWriter& out) const override;
  void load(wire::StateReader& in) override;
  void keep_journal(NumberingJournal& journal) override { journal_ = &journal; }
  bool replay(const NumberingChange& change, MethodId last) override;

 private:
  // Kind of a journal's change: the words edge, and serial << 32 with the radix of its callee.
  static constexpr std::uint8_t kBoundEdge = 0;

  static constexpr std::uint32_t kUnknownEdge = 0xFFFF'FFFF;

  struct Bound {
    EdgeKey edge;
    std::uint32_t serial;
  };
  struct Method {
    std::uint32_t radix = 0;        // 0 means unknown
    std::vector<std::uint32_t> in;  // indices into bound_, ascending by serial
  };

  std::uint32_t bind(EdgeKey edge);
  void add(EdgeKey edge, std::uint32_t serial, std::uint32_t radix);
  std::optional<Mapping> mapping_of(std::uint32_t number, std::uint64_t code) const;

  RcceNumberingOptions options_;
  graph::GraphEdges graph_;
  std::vector<std::uint32_t> serials_;  // by the graph's edge
  std::vector<std::uint32_t> radices_;  // by the graph's method
  // One-based; 0: starts pieces for lack of room, kUnknownEdge: because the graph lacks it.
  FlatMap<EdgeKey, std::uint32_t> index_;
  std::vector<Bound> bound_;
  std::vector<Method> methods_ = std::vector<Method>(1);  // by id of this run
  NumberingJournal* journal_ = nullptr;                   // nullptr if none is kept
};

}  // namespace copse::encoders
