#include "validation/token_check.h"

#include <algorithm>
#include <new>
#include <utility>

namespace copse {

using encoders::CallPath;
using encoders::EdgeKey;

namespace {

EdgeKey edge_to(const ContextTree& tree, const ContextNode& node) {
  const MethodId caller = method_of(tree.node(node.parent).key);  // ROOT's key has none
  return encoders::edge_key({caller, site_of(node.key)}, method_of(node.key));
}

}  // namespace

bool leads_to(const CallPath& path, const ContextTree& tree, NodeIndex node) {
  for (auto edge = path.rbegin(); edge != path.rend(); ++edge) {
    if (node == kRootNode) return false;
    const ContextNode at = tree.node(node);
    if (*edge != edge_to(tree, at)) return false;
    node = at.parent;
  }
  return node == kRootNode;
}

CallPath path_to(const ContextTree& tree, NodeIndex node) {
  CallPath path;
  while (node != kRootNode) {
    const ContextNode at = tree.node(node);
    path.push_back(edge_to(tree, at));
    node = at.parent;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

void TokenCheck::add_mismatch(TokenMismatch mismatch) noexcept {
  const std::lock_guard lock(mutex_);
  if (!first_wrong_) first_wrong_ = std::move(mismatch);
}

void TokenCheck::add(const TokenCounts& counts, const RecordsOfThreads& records,
                     const std::vector<Seen>& seen, std::uint64_t not_kept) noexcept {
  const std::lock_guard lock(mutex_);
  counts_.met += counts.met;
  counts_.wrong += counts.wrong;
  counts_.without += counts.without;
  counts_.records += counts.records;
  not_kept_ += not_kept;
  try {
    for (const auto& [thread, count] : records) records_[thread] += count;
    seen_.insert(seen_.end(), seen.begin(), seen.end());
  } catch (const std::bad_alloc&) {
    not_kept_ += seen.size();
  }
}

TokenCheck::Outcome TokenCheck::finish(const ContextTree& tree) {
  const std::lock_guard lock(mutex_);
  std::sort(seen_.begin(), seen_.end());
  seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
  Outcome outcome;
  outcome.tokens = counts_;
  outcome.not_kept = not_kept_;
  std::uint64_t last = 0;
  for (const Seen& seen : seen_) {
    const bool is_new = seen.id != last;
    outcome.ids += is_new ? 1 : 0;
    last = seen.id;
    if (decoder_.decodes()) {
      compare_again(seen, tree, outcome);
    } else {
      outcome.collisions += is_new ? 0 : 1;
    }
  }
  outcome.records_of_threads = std::move(records_);
  outcome.first_wrong = std::move(first_wrong_);
  return outcome;
}

void TokenCheck::compare_again(const Seen& seen, const ContextTree& tree, Outcome& outcome) {
  Result<CallPath> decoded = decoder_.decode(seen.id);
  if (decoded.ok() && leads_to(*decoded, tree, NodeIndex{seen.node})) return;
  ++outcome.wrong_at_end;
  if (first_wrong_) return;
  first_wrong_ = {seen.id, std::nullopt, std::move(decoded), path_to(tree, NodeIndex{seen.node})};
}

}  // namespace copse
