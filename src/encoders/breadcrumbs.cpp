#include "encoders/breadcrumbs.h"

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
      return Status::error("breadcrumbs token: more than one context fits" + suffix);
    case Outcome::kGaveUp:
      return Status::error("breadcrumbs token: search limit reached" + suffix);
    case Outcome::kNone:
      break;
  }
  return Status::error("breadcrumbs token: no context of this run fits");
}

MemoryUse BreadcrumbsEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += t.frames.capacity() * sizeof(Frame::value);
    use.replay_bytes += t.frames.capacity() * (sizeof(Frame) - sizeof(Frame::value));
  });
  use.resident_bytes = known_.bytes() + allocated_bytes(edges_) + allocated_bytes(newest_in_) +
                       site_indices_.bytes() + allocated_bytes(sites_) + recorded_.bytes();
  return use;
}

}  // namespace copse::encoders
