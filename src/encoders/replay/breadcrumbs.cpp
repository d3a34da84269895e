#include "encoders/replay/breadcrumbs.h"

#include <algorithm>

namespace copse::encoders {
namespace {

// The multiplicative inverse of 3 modulo 2^32.
constexpr std::uint32_t kInverseOf3 = 0xAAAAAAAB;
static_assert(kInverseOf3 * 3u == 1u);

constexpr std::uint32_t value_before(std::uint32_t value, EdgeKey edge) noexcept {
  return (value - static_cast<std::uint32_t>(site_constant(site_key(edge)))) * kInverseOf3;
}

}  // namespace

void BreadcrumbsEncoder::note(EdgeKey edge, std::uint32_t value) {
  Edge& known = known_[edge];
  if (known.site == 0) [[unlikely]]
    add_edge(edge, known);
  Site& site = sites_[known.site - 1];
  if (site.calls > options_.hot_threshold) return;
  ++site.calls;
  recorded_[(std::uint64_t{known.site} << 32) | value] = 1;
}

void BreadcrumbsEncoder::add_edge(EdgeKey edge, Edge& known) {
  std::uint32_t& site = site_indices_[site_key(edge) + 1];
  if (site == 0) {
    sites_.push_back({0});
    site = static_cast<std::uint32_t>(sites_.size());
  }
  const std::uint32_t callee = raw(callee_of(edge));
  if (callee >= newest_in_.size()) newest_in_.resize(callee + 1);
  edges_.push_back(edge);
  known = {site, newest_in_[callee]};
  newest_in_[callee] = static_cast<std::uint32_t>(edges_.size());
}

bool BreadcrumbsEncoder::admits(EdgeKey edge, std::uint32_t value) const {
  const std::uint32_t site = known_.find(edge)->site;
  if (sites_[site - 1].calls > options_.hot_threshold) return true;
  return recorded_.find((std::uint64_t{site} << 32) | value) != nullptr;
}

void BreadcrumbsEncoder::candidates(MethodId method, std::uint32_t value, CallPath& out) const {
  out.clear();
  if (raw(method) >= newest_in_.size()) return;
  for (std::uint32_t i = newest_in_[raw(method)]; i != 0;) {
    const EdgeKey edge = edges_[i - 1];
    const std::uint32_t before = value_before(value, edge);
    // ROOT is left once, with value 0.
    if (admits(edge, before) && (caller_of(edge) != kRootMethod || before == 0)) {
      out.push_back(edge);
    }
    i = known_.find(edge)->next_in;
  }
}

BreadcrumbsEncoder::Search BreadcrumbsEncoder::search(const Token& token) const {
  struct State {
    EdgeKey edge;  // step taken to get here, from the callee's side
    MethodId method;
    std::uint32_t value;
    std::uint32_t depth;
  };
  Search result;
  TokenReader reader(token);
  const auto value = static_cast<std::uint32_t>(reader.take(4));
  const MethodId method = reader.take_method();
  if (reader.failed() || !reader.at_end()) return result;

  std::vector<State> pending = {{kNoEdge, method, value, 0}};
  CallPath steps;  // from the token's method upwards
  CallPath next;
  bool complete = true;
  std::uint32_t found = 0;
  while (!pending.empty() && found < 2) {
    if (++result.work > options_.work_limit) {
      complete = false;
      break;
    }
    const State state = pending.back();
    pending.pop_back();
    if (state.depth > 0) {
      steps.resize(state.depth - 1);
      steps.push_back(state.edge);
    }
    if (state.method == kRootMethod) {
      if (found++ == 0) result.path.assign(steps.rbegin(), steps.rend());
      continue;
    }
    if (state.depth >= options_.max_depth) {
      complete = false;
      continue;
    }
    candidates(state.method, state.value, next);
    if (pending.size() + next.size() > kMaxDecodeWork / sizeof(State)) {
      complete = false;
      break;
    }
    for (const EdgeKey edge : next) {
      pending.push_back({edge, caller_of(edge), value_before(state.value, edge), state.depth + 1});
    }
  }
  if (found >= 2) {
    result.outcome = Outcome::kAmbiguous;
  } else if (!complete) {
    result.outcome = Outcome::kGaveUp;
  } else if (found == 1) {
    result.outcome = Outcome::kDecoded;
  }
  result.verified_suffix =
      result.outcome == Outcome::kDecoded ? result.path : forced_suffix(method, value);
  return result;
}

CallPath BreadcrumbsEncoder::forced_suffix(MethodId method, std::uint32_t value) const {
  CallPath suffix;
  CallPath next;
  while (method != kRootMethod && suffix.size() < options_.max_depth) {
    candidates(method, value, next);
    if (next.size() != 1) break;
    suffix.push_back(next[0]);
    value = value_before(value, next[0]);
    method = caller_of(next[0]);
  }
  std::reverse(suffix.begin(), suffix.end());
  return suffix;
}

Result<CallPath> BreadcrumbsEncoder::decode(const Token& token) const {
  Search result = search(token);
  const std::string suffix = "; verified suffix: " + to_string(result.verified_suffix);
  switch (result.outcome) {
    case Outcome::kDecoded:
      return std::move(result.path);
    case Outcome::kAmbiguous:
      return Status::error(Fault::kNotFound,
                           "breadcrumbs token: more than one context fits" + suffix);
    case Outcome::kGaveUp:
      return Status::error(Fault::kLimit, "breadcrumbs token: search limit reached" + suffix);
    case Outcome::kNone:
      break;
  }
  return Status::error(Fault::kNotFound, "breadcrumbs token: no context of this run fits");
}

std::vector<EdgeKey> BreadcrumbsEncoder::edges_into(std::size_t callee) const {
  std::vector<EdgeKey> edges;
  for (std::uint32_t i = newest_in_[callee]; i != 0; i = known_.find(edges.back())->next_in) {
    edges.push_back(edges_[i - 1]);
  }
  std::reverse(edges.begin(), edges.end());
  return edges;
}

// In-edges by callee; then, in the order in which their sites first occur there, what each site
// recorded: 0 when it is hot, else one more than the number of values, and the values' distances.
void BreadcrumbsEncoder::save_state(wire::StateWriter& out) const {
  std::vector<std::uint32_t> sites;
  std::vector<bool> listed(sites_.size() + 1);
  out.number(newest_in_.size());
  for (std::size_t callee = 0; callee < newest_in_.size(); ++callee) {
    const std::vector<EdgeKey> edges = edges_into(callee);
    out.number(edges.size());
    for (const EdgeKey edge : edges) {
      out.number(raw(caller_of(edge)));
      out.number(raw(site_of(edge).ordinal));
      const std::uint32_t site = known_.find(edge)->site;
      if (!listed[site]) sites.push_back(site);
      listed[site] = true;
    }
  }
  std::vector<std::vector<std::uint32_t>> values(sites_.size() + 1);
  recorded_.for_each([&](std::uint64_t key, std::uint8_t) {
    values[key >> 32].push_back(static_cast<std::uint32_t>(key));
  });
  for (const std::uint32_t site : sites) {
    if (sites_[site - 1].calls > options_.hot_threshold) {
      out.number(0);
      continue;
    }
    std::sort(values[site].begin(), values[site].end());
    out.number(values[site].size() + 1);
    std::uint32_t last = 0;
    for (const std::uint32_t value : values[site]) {
      out.number(value - last);
      last = value;
    }
  }
}

void BreadcrumbsEncoder::load_state(wire::StateReader& in) {
  const std::size_t methods = in.count(1);
  newest_in_.resize(methods);
  for (std::uint32_t callee = 0; callee < methods && in.ok(); ++callee) {
    for (std::size_t left = in.count(2); left > 0 && in.ok(); --left) {
      const std::uint64_t caller = in.number_below(std::uint64_t{kMaxMethodId} + 1, "caller");
      const std::uint64_t ordinal = in.number_below(1 << 16, "call site");
      if (callee == 0 || callee > kMaxMethodId) in.fail("an edge leads to no method");
      if (!in.ok()) break;
      const CallSite site{MethodId{static_cast<std::uint32_t>(caller)},
                          SiteOrdinal{static_cast<std::uint16_t>(ordinal)}};
      const EdgeKey edge = edge_key(site, MethodId{callee});
      Edge& known = known_[edge];
      if (known.site != 0) in.fail("an edge is there twice");
      add_edge(edge, known);
    }
  }
  for (std::uint64_t site = 1; site <= sites_.size() && in.ok(); ++site) {
    std::uint64_t left = in.number();
    if (left == 0) sites_[site - 1].calls = std::uint64_t{options_.hot_threshold} + 1;
    std::uint32_t value = 0;
    for (; left > 1 && in.ok(); --left) {
      value += static_cast<std::uint32_t>(in.number_below(std::uint64_t{1} << 32, "value"));
      recorded_[site << 32 | value] = 1;
    }
  }
}

MemoryUse BreadcrumbsEncoder::memory() const {
  MemoryUse use = thread_memory();
  use.resident_bytes = known_.bytes() + allocated_bytes(edges_) + allocated_bytes(newest_in_) +
                       site_indices_.bytes() + allocated_bytes(sites_) + recorded_.bytes();
  return use;
}

}  // namespace copse::encoders
