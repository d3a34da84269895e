#include "shadowstack/inlined_calls.h"

#include <algorithm>

namespace copse::shadowstack {

InlinedCalls::Chain InlinedCalls::inside(Chain outer, ContextKey call) const noexcept {
  Chain chain = at(outer).first_inner;
  while (chain != 0 && at(chain).key != call) chain = at(chain).next;
  return chain;
}

InlinedCalls::Chain InlinedCalls::with_call(Chain outer, ContextKey call) {
  if (const Chain known = inside(outer, call); known != 0) return known;
  const auto made = static_cast<Chain>(calls_.size());
  calls_.push_back({.key = call, .outer = outer, .next = at(outer).first_inner});
  calls_[outer].first_inner = made;
  return made;
}

InlinedCalls::Chain InlinedCalls::outermost(MethodId method) const noexcept {
  return inside(0, context_key(kNoSite, method));
}

bool InlinedCalls::has_inlined(Chain outer, std::span<const ContextKey> calls) const noexcept {
  for (const ContextKey call : calls) {
    outer = inside(outer, call);
    if (outer == 0) return false;
  }
  return true;
}

InlinedCalls::Correction InlinedCalls::correct(std::span<const ContextKey> frames, SiteOrdinal site,
                                               Chain chain) const {
  std::vector<ContextKey> calls;
  for (; chain != 0; chain = at(chain).outer) calls.push_back(at(chain).key);
  std::ranges::reverse(calls);
  const MethodId method = method_of(calls.front());
  const std::span inner = std::span<const ContextKey>(calls).subspan(1);

  // The word is right, as it mostly is.
  if (frames.size() >= calls.size()) {
    const auto same = frames.last(calls.size());
    if (method_of(same.front()) == method && std::ranges::equal(same.subspan(1), inner)) return {};
  }
  // It is of the same code, which then runs in the frame of its own method.
  for (std::size_t i = frames.size(); i-- > 0;) {
    const std::span<const ContextKey> below = frames.subspan(i + 1);
    if (method_of(frames[i]) != method || !has_inlined(outermost(method), below)) continue;
    const auto [left, entered] = std::ranges::mismatch(below, inner);
    return {static_cast<std::size_t>(below.end() - left), {entered, inner.end()}};
  }
  // The same, where the code's own method has no probes: a sibling has been left.
  std::size_t left = 0;
  for (std::size_t i = frames.size(); i-- > 0;) {
    const Chain sibling = outermost(method_of(frames[i]));
    if (sibling == 0 || !has_inlined(sibling, frames.subspan(i + 1))) continue;
    left = frames.size() - i;
    site = site_of(frames[i]);
    break;
  }
  calls.front() = context_key(site, method);
  return {left, std::move(calls)};
}

}  // namespace copse::shadowstack
