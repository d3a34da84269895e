// Numberings made from a call graph before the run, where an edge adds one number to its caller's
// codes: PCCE's (encoders/scheme/path_numbering.h) and DeltaPath's (encoders/scheme/deltapath_numbering.h).
//
// Cut edges, edges into anchors, and calls unknown to the graph start pieces. Code 0 need not be reserved for that: the
// graph of one piece is acyclic, so a piece contains its first method once.
//
// DeltaPath's edges may share codes if their territories differ; the first method of the piece determines the territory
// of a code. PCCE has one territory.
//
// The graph's edges are those of another run. An edge of this run is bound to a graph edge when it is first taken, one
// to one. Only bound edges have a meaning, and only they are saved.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "encoders/numbering/context_number.h"
#include "encoders/numbering/numbering.h"
#include "graph/call_graph.h"
#include "graph/graph_edges.h"

namespace copse::encoders {

inline constexpr std::string_view kPcceName = "pcce";
inline constexpr std::string_view kDeltaPathName = "deltapath";

// Additions of a graph's edges, by the graph's own ids.
struct GraphAdditions {
  struct Share {
    std::uint32_t territory;
    std::uint64_t codes;  // codes of the caller in the territory; never 0
  };
  struct Edge {
    std::uint64_t addition = 0;
    std::vector<Share> shares;  // empty: the edge starts a piece
  };
  std::vector<Edge> edges;               // by index
  std::vector<std::uint32_t> territory;  // by method: territory of pieces that start with it
  std::vector<SchemeFact> facts;         // of the graph; empty if not needed
};
// `most_codes`: per method and territory.
GraphAdditions pcce_additions(const graph::CallGraph& graph,
                              std::uint64_t most_codes = kMostIdCodes);
GraphAdditions deltapath_additions(const graph::CallGraph& graph,
                                   std::uint64_t most_codes = kMostIdCodes);

// Returns the graph's figures and PCCE's own.
std::vector<SchemeFact> pcce_facts(const graph::CallGraph& graph, const GraphAdditions& additions);

// Returns the largest code that a method may have.
std::uint64_t largest_code(const GraphAdditions& additions) noexcept;

class AdditionNumbering final : public CodeNumbering {
 public:
  // Makes an empty numbering, to be loaded.
  explicit AdditionNumbering(std::string_view name) : name_(name) {}
  AdditionNumbering(std::string_view name, graph::CallGraph graph, GraphAdditions additions,
                    std::unique_ptr<graph::GraphNames> names = nullptr);

  std::string_view name() const noexcept override { return name_; }
  SlotKind slots() const noexcept override { return SlotKind::kAdditions; }
  std::optional<Mapping> mapping(EdgeKey edge, std::uint64_t code) override;
  std::optional<Mapping> known_mapping(EdgeKey edge, std::uint64_t code) const override;
  std::optional<Step> step_to(MethodId method, std::uint64_t code, MethodId start) const override;
  // Frees the data for encoding; the numbering then only decodes. Does nothing if it throws.
  void stop_encoding();
  GraphUse graph_use() const noexcept override { return graph_.use(); }
  std::uint64_t mapping_count() const noexcept override { return bound_.size(); }
  std::uint64_t largest_code() const noexcept override;
  std::optional<bool> knows(EdgeKey edge) const override;
  SchemeFacts facts() const override;
  std::uint64_t bytes() const override;
  void save(wire::StateWriter& out) const override;
  void load(wire::StateReader& in) override;
  void keep_journal(NumberingJournal& journal) override;
  bool replay(const NumberingChange& change, MethodId last) override;

  // Kinds of change in a journal, also used by DACCE. Edge: the words edge and addition, then territory and codes for
  // each share. Territory of pieces that start with a method: `small`, and the method as a word.
  static constexpr std::uint8_t kBoundEdge = 0;
  static constexpr std::uint8_t kTerritory = 1;

 private:
  static constexpr std::uint32_t kUnknownEdge = 0xFFFF'FFFF;

  struct Bound {
    EdgeKey edge;
    GraphAdditions::Edge adds;
  };
  struct Method {
    std::uint32_t territory = 0;
    std::vector<std::uint32_t> in;  // indices into bound_, ascending by addition
  };

  std::uint32_t bind(EdgeKey edge);
  void add(EdgeKey edge, const GraphAdditions::Edge& adds);
  void note_territory(MethodId id) noexcept;
  void note_edge(const Bound& bound);
  Method& method(MethodId id);
  std::optional<Mapping> mapping_of(std::uint32_t number) const;

  const std::string_view name_;
  graph::GraphEdges graph_;
  GraphAdditions additions_;
  // One-based; 0: starts pieces, kUnknownEdge: because the graph lacks it.
  FlatMap<EdgeKey, std::uint32_t> index_;
  std::vector<Bound> bound_;
  std::vector<Method> methods_ = std::vector<Method>(1);  // by id of this run
  NumberingJournal* journal_ = nullptr;                   // nullptr if none is kept
};

}  // namespace copse::encoders
