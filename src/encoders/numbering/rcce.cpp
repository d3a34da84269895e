#include "encoders/numbering/rcce.h"

#include <algorithm>
#include <array>
#include <utility>

#include "encoders/scheme/graph_facts.h"
#include "encoders/scheme/memory_use.h"

namespace copse::encoders {

using graph::CallGraph;

RcceNumbering::RcceNumbering(CallGraph graph, std::unique_ptr<graph::GraphNames> names,
                             RcceNumberingOptions options)
    : options_(options), graph_(std::move(graph), std::move(names)) {
  const CallGraph& known = graph_.graph();
  radices_.resize(known.method_limit());
  const std::vector<bool> reached = graph::methods_reached_from_root(known);
  for (std::size_t method = 0; method < radices_.size(); ++method) {
    if (!reached[method]) radices_[method] = 1;
  }
  for (const CallGraph::Edge& edge : known.edges()) {
    serials_.push_back(radices_[raw(callee_of(edge.key))]++);
  }
}

std::optional<RcceNumbering::Mapping> RcceNumbering::mapping(EdgeKey edge, std::uint64_t code) {
  const std::uint32_t* known = index_.find(edge);
  return mapping_of(known != nullptr ? *known : bind(edge), code);
}

std::optional<RcceNumbering::Mapping> RcceNumbering::known_mapping(EdgeKey edge,
                                                                   std::uint64_t code) const {
  const std::uint32_t* known = index_.find(edge);
  return known == nullptr ? std::nullopt : mapping_of(*known, code);
}

std::optional<RcceNumbering::Mapping> RcceNumbering::mapping_of(std::uint32_t number,
                                                                std::uint64_t code) const {
  if (number == 0 || number == kUnknownEdge) return std::nullopt;
  const Bound& bound = bound_[number - 1];
  const std::uint64_t radix = methods_[raw(callee_of(bound.edge))].radix;
  const std::uint64_t length =
      options_.checks_room ? (options_.most_codes - bound.serial) / radix : kAllCodes;
  if (code >= length) return std::nullopt;
  return Mapping{0, length, radix + bound.serial - 1, radix};
}

// Its number in index_.
std::uint32_t RcceNumbering::bind(EdgeKey edge) {
  std::uint32_t& number = index_[edge];
  const std::optional<std::size_t> index = graph_.index(edge);
  if (!index) return number = kUnknownEdge;
  const std::uint32_t radix = radices_[raw(callee_of(graph_.graph().edges()[*index].key))];
  if (radix > options_.most_codes) return 0;
  add(edge, serials_[*index], radix);
  if (journal_ != nullptr) {
    const std::array words = {raw(edge), std::uint64_t{serials_[*index]} << 32 | radix};
    journal_->add({kBoundEdge, 0, words});
  }
  number = static_cast<std::uint32_t>(bound_.size());
  return number;
}

std::optional<bool> RcceNumbering::knows(EdgeKey edge) const {
  const std::uint32_t* known = index_.find(edge);
  return known == nullptr || *known != kUnknownEdge;
}

// Radices have no largest id but the word's.
SchemeFacts RcceNumbering::facts() const {
  SchemeFacts facts{graph_facts(graph_.graph()), {}};
  facts.values.push_back({"unexpected_edges", graph_.use().edges - graph_.use().known});
  return facts;
}

bool RcceNumbering::replay(const NumberingChange& change, MethodId last) {
  const std::span<const std::uint64_t> words = change.words;
  if (change.kind != kBoundEdge || words.size() != 2 || !is_edge_up_to(words[0], last))
    return false;
  const auto serial = static_cast<std::uint32_t>(words[1] >> 32);
  const auto radix = static_cast<std::uint32_t>(words[1]);
  if (serial >= radix) return false;
  add(EdgeKey{words[0]}, serial, radix);
  return true;
}

void RcceNumbering::add(EdgeKey edge, std::uint32_t serial, std::uint32_t radix) {
  const std::size_t last = std::max(raw(caller_of(edge)), raw(callee_of(edge)));
  if (last >= methods_.size()) methods_.resize(last + 1);
  Method& callee = methods_[raw(callee_of(edge))];
  encoders::make_room_tightly(callee.in);
  bound_.push_back({edge, serial});
  callee.radix = radix;
  const auto at = std::upper_bound(
      callee.in.begin(), callee.in.end(), serial,
      [&](std::uint32_t s, std::uint32_t other) { return s < bound_[other].serial; });
  callee.in.insert(at, static_cast<std::uint32_t>(bound_.size() - 1));
}

std::optional<RcceNumbering::Step> RcceNumbering::step_to(MethodId id, std::uint64_t code,
                                                          MethodId) const {
  if (raw(id) >= methods_.size() || methods_[raw(id)].radix == 0) return std::nullopt;
  const Method& method = methods_[raw(id)];
  const std::uint64_t serial = (code + 1) % method.radix;
  const std::uint64_t before = (code + 1) / method.radix;
  const auto at = std::lower_bound(
      method.in.begin(), method.in.end(), serial,
      [&](std::uint32_t edge, std::uint64_t s) { return bound_[edge].serial < s; });
  if (at == method.in.end() || bound_[*at].serial != serial || before == 0) return std::nullopt;
  return Step{bound_[*at].edge, before - 1};
}

std::uint64_t RcceNumbering::bytes() const {
  std::uint64_t bytes = sizeof(*this) + graph_.graph().bytes() + index_.bytes() +
                        encoders::allocated_bytes(serials_) + encoders::allocated_bytes(radices_) +
                        encoders::allocated_bytes(bound_) + encoders::allocated_bytes(methods_);
  for (const Method& method : methods_) bytes += encoders::allocated_bytes(method.in);
  return bytes;
}

void RcceNumbering::save(wire::StateWriter& out) const {
  out.number(bound_.size());
  for (const Bound& bound : bound_) {
    out.edge(bound.edge);
    out.number(bound.serial);
    out.number(methods_[raw(callee_of(bound.edge))].radix);
  }
}

void RcceNumbering::load(wire::StateReader& in) {
  constexpr std::uint64_t kAny = std::uint64_t{1} << 32;
  bound_.clear();
  methods_.assign(1, Method());
  for (std::size_t left = in.count(5); left > 0 && in.ok(); --left) {
    const EdgeKey edge = in.edge();
    const std::uint64_t serial = in.number_below(kAny, "serial");
    const std::uint64_t radix = in.number_below(kAny, "radix");
    if (serial >= radix) in.fail("a serial beyond its radix");
    if (!in.ok()) break;
    add(edge, static_cast<std::uint32_t>(serial), static_cast<std::uint32_t>(radix));
  }
}

}  // namespace copse::encoders
