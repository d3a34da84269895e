#include "encoders/numbering/addition.h"

#include <algorithm>
#include <utility>

#include "encoders/scheme/deltapath_numbering.h"
#include "encoders/scheme/graph_facts.h"
#include "encoders/scheme/memory_use.h"
#include "encoders/scheme/path_numbering.h"

namespace copse::encoders {

using graph::CallGraph;

GraphAdditions pcce_additions(const CallGraph& graph, std::uint64_t most_codes) {
  const encoders::PathNumbering numbering =
      encoders::number_paths(graph, {.max_paths = most_codes});
  GraphAdditions additions;
  additions.edges.resize(graph.edges().size());
  additions.territory.resize(graph.method_limit());
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    if (numbering.cut[e]) continue;
    const MethodId caller = caller_of(graph.edges()[e].key);
    additions.edges[e] = {numbering.addition[e], {{0, numbering.paths[raw(caller)]}}};
  }
  return additions;
}

std::vector<SchemeFact> pcce_facts(const CallGraph& graph, const GraphAdditions& additions) {
  std::vector<SchemeFact> facts = graph_facts(graph);
  const auto cut = std::count_if(additions.edges.begin(), additions.edges.end(),
                                 [](const auto& edge) { return edge.shares.empty(); });
  facts.push_back({"cut_edges", static_cast<std::uint64_t>(cut)});
  facts.push_back({"max_id", largest_code(additions)});
  return facts;
}

GraphAdditions deltapath_additions(const CallGraph& graph, std::uint64_t most_codes) {
  const encoders::DeltaPathNumbering numbering =
      encoders::number_sites(graph, {.max_code = most_codes - 1, .forced_anchors = {}});
  GraphAdditions additions;
  additions.edges.resize(graph.edges().size());
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const EdgeKey edge = graph.edges()[e].key;
    if (numbering.pushed[e] || numbering.is_anchor[raw(callee_of(edge))]) continue;
    additions.edges[e].addition = numbering.addition[e];
    for (const std::uint32_t territory : numbering.territories_of_edge[e]) {
      const std::uint64_t codes =
          numbering.inflated_count(caller_of(edge), numbering.anchors[territory]);
      additions.edges[e].shares.push_back({territory, codes});
    }
  }
  // Code 0 is valid in each of a method's territories, so any of them will do.
  for (const auto& territories : numbering.territories_of_method) {
    additions.territory.push_back(territories.empty() ? 0 : territories.front());
  }
  for (std::uint32_t i = 0; i < numbering.anchors.size(); ++i) {
    additions.territory[raw(numbering.anchors[i])] = i;
  }
  additions.facts = deltapath_facts(graph, numbering);
  return additions;
}

std::uint64_t largest_code(const GraphAdditions& additions) noexcept {
  std::uint64_t largest = 0;
  for (const GraphAdditions::Edge& edge : additions.edges) {
    for (const GraphAdditions::Share& share : edge.shares) {
      largest = std::max<std::uint64_t>(largest, edge.addition + share.codes - 1);
    }
  }
  return largest;
}

AdditionNumbering::AdditionNumbering(std::string_view name, CallGraph graph,
                                     GraphAdditions additions,
                                     std::unique_ptr<graph::GraphNames> names)
    : name_(name), graph_(std::move(graph), std::move(names)), additions_(std::move(additions)) {
  methods_[0].territory = additions_.territory[0];
}

AdditionNumbering::Method& AdditionNumbering::method(MethodId id) {
  if (raw(id) >= methods_.size()) methods_.resize(raw(id) + 1);
  return methods_[raw(id)];
}

std::optional<AdditionNumbering::Mapping> AdditionNumbering::mapping(EdgeKey edge, std::uint64_t) {
  const std::uint32_t* known = index_.find(edge);
  return mapping_of(known != nullptr ? *known : bind(edge));
}

std::optional<AdditionNumbering::Mapping> AdditionNumbering::known_mapping(EdgeKey edge,
                                                                           std::uint64_t) const {
  const std::uint32_t* known = index_.find(edge);
  return known == nullptr ? std::nullopt : mapping_of(*known);
}

std::optional<AdditionNumbering::Mapping> AdditionNumbering::mapping_of(
    std::uint32_t number) const {
  if (number == 0 || number == kUnknownEdge) return std::nullopt;
  return Mapping{0, kAllCodes, bound_[number - 1].adds.addition};
}

// Its number in index_.
std::uint32_t AdditionNumbering::bind(EdgeKey edge) {
  std::uint32_t& number = index_[edge];
  const MethodId callee = callee_of(edge);
  if (const std::optional<MethodId> known = graph_.method(callee)) {
    Method& bound = method(callee);
    if (const std::uint32_t before =
            std::exchange(bound.territory, additions_.territory[raw(*known)]);
        before != bound.territory) {
      note_territory(callee);
    }
  }
  const std::optional<std::size_t> index = graph_.index(edge);
  if (!index) return number = kUnknownEdge;
  const GraphAdditions::Edge& adds = additions_.edges[*index];
  if (adds.shares.empty()) return 0;
  add(edge, adds);
  note_edge(bound_.back());
  number = static_cast<std::uint32_t>(bound_.size());
  return number;
}

void AdditionNumbering::add(EdgeKey edge, const GraphAdditions::Edge& adds) {
  method(caller_of(edge));
  std::vector<std::uint32_t>& in = method(callee_of(edge)).in;
  encoders::make_room_tightly(in);
  bound_.push_back({edge, adds});
  const auto at = std::upper_bound(in.begin(), in.end(), adds.addition,
                                   [&](std::uint64_t addition, std::uint32_t other) {
                                     return addition < bound_[other].adds.addition;
                                   });
  in.insert(at, static_cast<std::uint32_t>(bound_.size() - 1));
}

void AdditionNumbering::keep_journal(NumberingJournal& journal) {
  journal_ = &journal;
  if (methods_[0].territory != 0) note_territory(kRootMethod);
}

void AdditionNumbering::note_territory(MethodId id) noexcept {
  if (journal_ == nullptr) return;
  journal_->add_word(kTerritory, methods_[raw(id)].territory, raw(id));
}

void AdditionNumbering::note_edge(const Bound& bound) {
  if (journal_ == nullptr) return;
  std::vector<std::uint64_t> words = {raw(bound.edge), bound.adds.addition};
  for (const GraphAdditions::Share& share : bound.adds.shares) {
    words.push_back(share.territory);
    words.push_back(share.codes);
  }
  journal_->add({kBoundEdge, 0, words});
}

std::optional<bool> AdditionNumbering::knows(EdgeKey edge) const {
  const std::uint32_t* known = index_.find(edge);
  return known == nullptr || *known != kUnknownEdge;
}

// A loaded numbering holds codes only; its graph is not stored.
SchemeFacts AdditionNumbering::facts() const {
  if (additions_.facts.empty()) return CodeNumbering::facts();
  SchemeFacts facts{additions_.facts, {}};
  facts.values.push_back({"unexpected_edges", graph_.use().edges - graph_.use().known});
  return facts;
}

bool AdditionNumbering::replay(const NumberingChange& change, MethodId last) {
  const std::span<const std::uint64_t> words = change.words;
  constexpr std::uint64_t kAny = std::uint64_t{1} << 32;
  if (change.kind == kTerritory) {
    if (words.size() != 1 || words[0] > raw(last) || change.small >= kAny) return false;
    method(MethodId{static_cast<std::uint32_t>(words[0])}).territory =
        static_cast<std::uint32_t>(change.small);
    return true;
  }
  if (change.kind != kBoundEdge || words.size() < 2 || words.size() % 2 != 0) return false;
  if (!is_edge_up_to(words[0], last) || words[1] >> 63 != 0) return false;
  GraphAdditions::Edge adds{words[1], {}};
  for (std::size_t i = 2; i < words.size(); i += 2) {
    if (words[i] >= kAny || words[i + 1] >> 63 != 0) return false;
    adds.shares.push_back({static_cast<std::uint32_t>(words[i]), words[i + 1]});
  }
  add(EdgeKey{words[0]}, adds);
  return true;
}

std::optional<AdditionNumbering::Step> AdditionNumbering::step_to(MethodId id, std::uint64_t code,
                                                                  MethodId start) const {
  if (raw(id) >= methods_.size() || raw(start) >= methods_.size()) return std::nullopt;
  const std::uint32_t territory = methods_[raw(start)].territory;
  const std::vector<std::uint32_t>& in = methods_[raw(id)].in;
  auto at = std::upper_bound(in.begin(), in.end(), code, [&](std::uint64_t c, std::uint32_t edge) {
    return c < bound_[edge].adds.addition;
  });
  while (at != in.begin()) {
    const Bound& bound = bound_[*--at];
    for (const GraphAdditions::Share& share : bound.adds.shares) {
      if (share.territory != territory) continue;
      const std::uint64_t left = code - bound.adds.addition;
      return left < share.codes ? std::optional(Step{bound.edge, left}) : std::nullopt;
    }
  }
  return std::nullopt;
}

void AdditionNumbering::stop_encoding() {
  graph::GraphEdges no_graph;
  decltype(index_) no_index;
  graph_ = std::move(no_graph);
  index_ = std::move(no_index);
  additions_ = GraphAdditions();
}

std::uint64_t AdditionNumbering::largest_code() const noexcept {
  std::uint64_t largest = 0;
  for (const Bound& bound : bound_) {
    for (const GraphAdditions::Share& share : bound.adds.shares) {
      largest = std::max<std::uint64_t>(largest, bound.adds.addition + share.codes - 1);
    }
  }
  return largest;
}

std::uint64_t AdditionNumbering::bytes() const {
  std::uint64_t bytes =
      sizeof(*this) + graph_.graph().bytes() + index_.bytes() + encoders::allocated_bytes(bound_) +
      encoders::allocated_bytes(methods_) + encoders::allocated_bytes(additions_.edges) +
      encoders::allocated_bytes(additions_.territory) + encoders::allocated_bytes(additions_.facts);
  for (const GraphAdditions::Edge& edge : additions_.edges) {
    bytes += encoders::allocated_bytes(edge.shares);
  }
  for (const Bound& bound : bound_) bytes += encoders::allocated_bytes(bound.adds.shares);
  for (const Method& method : methods_) bytes += encoders::allocated_bytes(method.in);
  return bytes;
}

void AdditionNumbering::save(wire::StateWriter& out) const {
  out.number(methods_.size());
  for (const Method& method : methods_) out.number(method.territory);
  out.number(bound_.size());
  for (const Bound& bound : bound_) {
    out.edge(bound.edge);
    out.number(bound.adds.addition);
    out.number(bound.adds.shares.size());
    for (const GraphAdditions::Share& share : bound.adds.shares) {
      out.number(share.territory);
      out.number(share.codes);
    }
  }
}

void AdditionNumbering::load(wire::StateReader& in) {
  constexpr std::uint64_t kAny = std::uint64_t{1} << 32;
  constexpr std::uint64_t kAnyCode = std::uint64_t{1} << 63;
  bound_.clear();
  methods_.assign(in.count(1), Method());
  if (methods_.empty()) in.fail("ROOT is missing");
  for (Method& method : methods_) {
    method.territory = static_cast<std::uint32_t>(in.number_below(kAny, "territory"));
  }
  for (std::size_t left = in.count(5); left > 0 && in.ok(); --left) {
    const EdgeKey edge = in.edge();
    GraphAdditions::Edge adds;
    adds.addition = in.number_below(kAnyCode, "addition");
    for (std::size_t shares = in.count(2); shares > 0 && in.ok(); --shares) {
      const auto territory = static_cast<std::uint32_t>(in.number_below(kAny, "territory"));
      adds.shares.push_back({territory, in.number_below(kAnyCode, "codes")});
    }
    const std::size_t last = std::max(raw(caller_of(edge)), raw(callee_of(edge)));
    if (last >= methods_.size()) in.fail("an edge of a method that is missing");
    if (in.ok()) add(edge, adds);
  }
}

}  // namespace copse::encoders
