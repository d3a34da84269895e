#include "encoders/validation/id_word_check.h"

#include <algorithm>
#include <new>
#include <utility>

namespace copse::validation {

EdgeKey edge_to(const cct::ContextTree& tree, const cct::ContextNode& node) {
  const MethodId caller = method_of(tree.node(node.parent).key);  // ROOT's key has none
  return edge_key({caller, site_of(node.key)}, method_of(node.key));
}

RightIds::Pair& RightIds::place_of(Pair pair) noexcept {
  return recent_[hash_of(pair.id ^ pair.node) >> 40 & (kRecent - 1)];
}

std::optional<Match> RightIds::known(Pair pair) noexcept {
  if (pair.id == 0) return std::nullopt;
  if (place_of(pair) == pair) return Match::kExact;
  if (pair.node % kKeptEvery != 0) return std::nullopt;
  const Match* kept = kept_.find({pair.id, pair.node});
  return kept == nullptr ? std::nullopt : std::optional(*kept);
}

// Without memory less is known, no more.
void RightIds::keep(Match at_end, std::uint64_t lacking) {
  try {
    for (const Passed& passed : passed_) {
      kept_[{passed.pair.id, passed.pair.node}] =
          passed.lacking == lacking ? at_end : Match::kLacksFrames;
    }
  } catch (const std::bad_alloc&) {
  }
}

void RightIds::forget() noexcept {
  std::ranges::fill(recent_, Pair());
  kept_.clear();
}

// A decoder's answer that goes round in a circle ends where the tree does.
Match RightIds::match(const IdWordDecoder& decoder, std::uint64_t id, const cct::ContextTree& tree,
                      NodeIndex node, std::set<MethodId>& lacking) {
  const Pair asked{id, raw(node)};
  std::uint64_t left_out = 0;
  std::optional<Match> at_end;
  passed_.clear();
  for (Pair at = asked; !(at_end = known(at));) {
    if (at.node == raw(kRootNode)) {
      if (!decoder.is_root(at.id)) return Match::kNone;
      at_end = Match::kExact;
      break;
    }
    if (at.id != 0 && at.node % kKeptEvery == 0) passed_.push_back({at, left_out});
    cct::ContextNode there = tree.node(NodeIndex{at.node});
    const std::optional<IdWordDecoder::LastCall> last = decoder.last_call(at.id);
    const MethodId callee = method_of(there.key);
    while (last && last->edge != edge_key(site_of(edge_to(tree, there)), callee)) {
      // If the caller's frames may keep no id, the caller that the id names is further out.
      const bool may_go_on = callee_of(last->edge) == callee && there.parent != kRootNode &&
                             decoder.may_be_left_out(method_of(tree.node(there.parent).key));
      if (!may_go_on) return Match::kNone;
      there = tree.node(there.parent);
      lacking.insert(method_of(there.key));
      ++left_out;
    }
    if (!last) return Match::kNone;
    at = {last->caller, raw(there.parent)};
  }
  keep(*at_end, left_out);
  const Match found = left_out == 0 ? *at_end : Match::kLacksFrames;
  if (found == Match::kExact && id != 0) place_of(asked) = asked;
  return found;
}

CallPath path_to(const cct::ContextTree& tree, NodeIndex node) {
  CallPath path;
  while (node != kRootNode) {
    const cct::ContextNode at = tree.node(node);
    path.push_back(edge_to(tree, at));
    node = at.parent;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

void IdWordCheck::add_mismatch(IdWordMismatch mismatch) noexcept {
  const std::lock_guard lock(mutex_);
  if (!first_wrong_) first_wrong_ = std::move(mismatch);
}

void IdWordCheck::add(const IdWordCounts& counts, const RecordsOfThreads& records,
                      const std::vector<Seen>& seen, std::uint64_t not_kept) noexcept {
  const std::lock_guard lock(mutex_);
  counts_.met += counts.met;
  counts_.wrong += counts.wrong;
  counts_.without += counts.without;
  counts_.lacking += counts.lacking;
  counts_.starts += counts.starts;
  counts_.starts_without += counts.starts_without;
  counts_.records += counts.records;
  counts_.stack.add(counts.stack);
  counts_.largest_code = std::max(counts_.largest_code, counts.largest_code);
  not_kept_ += not_kept;
  try {
    for (const auto& [thread, count] : records) records_[thread] += count;
    seen_.insert(seen_.end(), seen.begin(), seen.end());
  } catch (const std::bad_alloc&) {
    not_kept_ += seen.size();
  }
}

IdWordCheck::Outcome IdWordCheck::finish(const cct::ContextTree& tree) {
  const std::lock_guard lock(mutex_);
  std::sort(seen_.begin(), seen_.end());
  seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
  Outcome outcome;
  outcome.words = counts_;
  outcome.not_kept = not_kept_;
  RightIds right;
  std::uint64_t last = 0;
  for (const Seen& seen : seen_) {
    const bool is_new = seen.id != last;
    outcome.ids += is_new ? 1 : 0;
    last = seen.id;
    if (decoder_.decodes()) {
      compare_again(seen, tree, right, outcome);
    } else {
      outcome.collisions += is_new ? 0 : 1;
    }
  }
  outcome.records_of_threads = std::move(records_);
  outcome.first_wrong = std::move(first_wrong_);
  return outcome;
}

void IdWordCheck::compare_again(const Seen& seen, const cct::ContextTree& tree, RightIds& right,
                                Outcome& outcome) {
  const NodeIndex node{seen.node};
  if (right.match(decoder_, seen.id, tree, node, outcome.lacking) != Match::kNone) return;
  ++outcome.wrong_at_end;
  if (first_wrong_) return;
  first_wrong_ = {seen.id, std::nullopt, decoder_.decode(seen.id), path_to(tree, node)};
}

}  // namespace copse::validation
