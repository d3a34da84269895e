// How the contexts of a tree in place are told, and its counts handed to the master tree.
#include <algorithm>
#include <utility>

#include "base/make_room.h"
#include "cct/inplace/inline_tree.h"

namespace copse::cct {
struct InlineTree::Step {
  std::uint32_t node = 0;
  ContextKey key = 0;
  std::uint32_t slot = 0;    // behind the one at hand
  std::uint32_t listed = 0;  // next callee in the slot's list, 0: go to the next slot
  std::uint32_t table = 0;   // of the slot, 0: it has none
  std::uint32_t entry = 0;   // behind the one at hand
};

std::uint32_t InlineTree::next_callee(Step& step) const {
  const InlineNode& node = region_.node(step.node);
  for (;;) {
    if (step.table != 0) {
      const InlineNode& table = region_.node(step.table);
      while (step.entry < table.slots) {
        const std::uint32_t callee = number_in(slot_address(table, step.entry++));
        if (callee != 0) return callee;
      }
      step.table = 0;
    }
    if (step.listed != 0) return std::exchange(step.listed, region_.node(step.listed).next);
    if (step.slot == node.slots) return 0;
    const std::uint64_t at = slot_address(node, step.slot++);
    const std::uint32_t first = number_in(at);
    if (first == 0) continue;
    if (is_table(first)) {
      step.table = first;
      step.entry = 0;
    } else {
      step.listed = first;
    }
  }
}

template <typename Visit>
void InlineTree::walk(Visit visit) const {
  if (root_ == 0) return;
  std::vector<Step> path = {{root_, 0}};
  visit(std::as_const(path));
  while (!path.empty()) {
    Step& step = path.back();
    const std::uint32_t callee = next_callee(step);
    if (callee == 0) {
      path.pop_back();
      continue;
    }
    const auto site = SiteOrdinal{static_cast<std::uint16_t>(step.slot - 1)};
    path.push_back({callee, context_key(site, MethodId{region_.node(callee).method})});
    visit(std::as_const(path));
    if (is_alias(callee)) path.pop_back();  // its slots show another's callees
  }
}

// 0: there is none in the slot.
ContextKey InlineTree::leaf_in(std::uint32_t caller, std::uint64_t slot,
                               const IsLeafOf& is_leaf_of) const {
  if (!is_leaf_of) return 0;
  const InlineNode& node = region_.node(caller);
  const SiteOrdinal site = site_of_slot(node, slot);
  if (site == kNoSite || node.method == 0) return 0;
  ContextKey leaf = 0;
  std::uint64_t most = 0;
  Step step{.node = caller, .key = 0, .slot = raw(site)};
  for (std::uint32_t callee; (callee = next_callee(step)) != 0 && step.slot == raw(site) + 1u;) {
    const InlineNode& called = region_.node(callee);
    const MethodId method{called.method};
    const std::uint64_t calls = calls_of(called) + 1;
    if (calls <= most || !is_leaf_of(MethodId{node.method}, site, method)) continue;
    most = calls;
    leaf = context_key(site, method);
  }
  return leaf;
}

std::optional<std::uint32_t> InlineTree::climb(std::uint64_t slot, const IsLeafOf& is_leaf_of,
                                               const KnownNode& known,
                                               std::vector<Above>& above) const {
  if (root_ == 0 || !has(slot)) return std::nullopt;
  const std::uint32_t frame = region_.node_with(slot);
  std::uint32_t number = self_or_aliased(frame);
  if (const ContextKey leaf = leaf_in(frame, slot, is_leaf_of); leaf != 0)
    above.push_back({0, leaf});
  while (number != root_) {
    if (const std::uint32_t node = known ? known(number) : 0; node != 0) return node;
    const InlineNode& node = region_.node(number);
    if (node.method == 0 || above.size() > kMaxDepth) return std::nullopt;
    const std::uint32_t caller = region_.node_with(node.entry);
    const SiteOrdinal site = site_of_slot(region_.node(caller), node.entry);
    above.push_back({number, context_key(site, MethodId{node.method})});
    number = self_or_aliased(caller);
  }
  return 0;
}

std::uint64_t InlineTree::corrected(std::uint64_t slot, const shadowstack::CodePlace& code) const {
  if (root_ == 0 || !has(slot)) return slot;
  std::vector<std::uint32_t> numbers;  // innermost first, as the frames
  std::vector<ContextKey> frames;
  std::uint32_t number = self_or_aliased(region_.node_with(slot));
  while (number != root_ && frames.size() < shadowstack::InlinedCalls::kMostFrames) {
    const InlineNode& node = region_.node(number);
    if (node.method == 0) return slot;
    const std::uint32_t caller = region_.node_with(node.entry);
    const SiteOrdinal site = site_of_slot(region_.node(caller), node.entry);
    numbers.push_back(number);
    frames.push_back(context_key(site, MethodId{node.method}));
    number = self_or_aliased(caller);
  }
  numbers.push_back(number);
  std::ranges::reverse(frames);
  const auto correction = code.calls.correct(frames, site_of(slot), code.chain);
  std::uint32_t at = numbers[correction.left];
  for (const ContextKey call : correction.entered) {
    const InlineNode& node = region_.node(at);
    const std::uint32_t site = raw(copse::site_of(call));
    std::size_t listed = 0;
    const std::uint32_t callee =
        site < node.slots ? find(slot_address(node, site), method_of(call), listed) : 0;
    if (callee == 0) return at == numbers[correction.left] ? slot : slot_address(node, 0);
    at = self_or_aliased(callee);
  }
  return slot_address(region_.node(at), 0);
}

void InlineTree::append_path(const std::vector<Above>& above, std::vector<ContextKey>& path) {
  path.reserve(path.size() + above.size());
  for (std::size_t i = above.size(); i-- > 0;) path.push_back(above[i].key);
}

SiteOrdinal InlineTree::site_of(std::uint64_t slot) const noexcept {
  return has(slot) ? site_of_slot(region_.node(region_.node_with(slot)), slot) : kNoSite;
}

// Callers in the tree are those of the program, but for merged recursion: what an alias calls is
// told as called by the node further up.
void InlineTree::add_to(Cycles& cycles) const {
  std::vector<MethodId> above;  // of each on the path, what its callees are to tell
  walk([&](const std::vector<Step>& path) {
    above.resize(path.size());
    if (path.size() == 1 || is_alias(path.back().node)) return;
    above.back() = cycles.add(method_of(path.back().key), above[path.size() - 2], [&](auto visit) {
      for (std::size_t i = path.size() - 1; i-- > 1;) {
        if (!visit(method_of(path[i].key))) return;
      }
    });
  });
}

void InlineTree::add_to(RecursionDepths& depths) const {
  walk([&](const std::vector<Step>& path) {
    depths.add(path.size() - 1, method_of(path.back().key));
  });
}

namespace {

// Returns the key, in the whole, of the `i`th node of a path in a tree that hangs at `base`. Node 0
// is ROOT.
template <typename Step>
ContextKey key_in_whole(const InlineTree::Base& base, const std::vector<Step>& path,
                        std::size_t i) noexcept {
  const std::size_t above = base.path.size();
  if (i <= above) return base.path[i - 1];
  const ContextKey key = path[i - above].key;
  return i == above + 1 && site_of(key) == kNoSite ? context_key(base.site, method_of(key)) : key;
}

// Nodes of such a path in another tree, as far as calls were found below them: what was never called
// makes no node there.
std::vector<std::uint32_t> whole_path_to(const InlineTree::Base& base) {
  return {base.is_lost ? Cct::kOverflowNode : raw(kRootNode)};
}

}  // namespace

InlineTree::Totals InlineTree::add_to(Cct& tree, std::uint32_t most_nodes, const Base& base) const {
  Totals totals;
  totals.lost = totals.calls = calls_lost();
  std::vector<std::uint32_t> theirs = whole_path_to(base);
  walk([&](const std::vector<Step>& path) {
    if (path.size() == 1) return;
    const std::size_t depth = base.path.size() + path.size();
    theirs.resize(std::min(theirs.size(), depth - 1));
    const std::uint64_t calls = this->calls(path.back().node);
    if (calls == 0) return;
    while (theirs.size() < depth) {
      const std::uint32_t above = theirs.back();
      theirs.push_back(above == Cct::kOverflowNode
                           ? above
                           : tree.callee(above, key_in_whole(base, path, theirs.size())));
      tree.evict_above(most_nodes, theirs);
    }
    tree.add_calls(theirs.back(), calls);
    totals.calls += calls;
  });
  return totals;
}

void InlineTree::move_lost(InlineMove& move, Totals& totals) {
  ++moves_;
  top_seen_ = 0;
  if (lost_ == 0) return;
  const std::uint64_t lost = move.to_lost(region_.node(lost_), left_out(lost_));
  totals.lost += lost;
  totals.calls += lost;
}

template <typename Theirs>
void InlineTree::move_calls(std::uint32_t number, InlineMove& move, Totals& totals, Theirs theirs) {
  InlineNode& node = region_.node(number);
  InlineLeftOut* const left_out = this->left_out(number);
  if (region_.has_seen_calls()) region_.seen_calls(number) = 0;
  if (calls_of(node) != (left_out == nullptr ? 0 : left_out->calls)) {
    totals.calls += move.to_node(node, left_out, theirs());
  } else if (left_out != nullptr) {
    InlineMove::drop(node, *left_out);
  }
}

void InlineTree::move_counts(InlineMove& move, const Base& base, Totals& totals) {
  move_lost(move, totals);
  std::vector<std::uint32_t> theirs = whole_path_to(base);
  walk([&](const std::vector<Step>& path) {
    if (path.size() == 1) return;
    const std::size_t depth = base.path.size() + path.size();
    theirs.resize(std::min(theirs.size(), depth - 1));
    move_calls(path.back().node, move, totals, [&] {
      make_room(theirs, depth);
      while (theirs.size() < depth) move.extend(theirs, key_in_whole(base, path, theirs.size()));
      return theirs.back();
    });
  });
  left_out_ = {};
}

class InlineTree::MasterNodes {
 public:
  MasterNodes(const InlineTree& tree, InlineMove& move)
      : MasterNodes(tree, move, tree.region_.index_count()) {}

  bool has_memory() const noexcept { return has_memory_; }
  // Returns the master's node for a node, made if need be, as are those of its callers. Throws std::bad_alloc.
  std::uint32_t of(std::uint32_t number);

 private:
  MasterNodes(const InlineTree& tree, InlineMove& move, std::uint64_t most)
      : tree_(tree), move_(move), ours_(shadowstack::anonymous_memory(), most) {
    has_memory_ = ours_.ensure(most);
  }
  // 0: not known yet.
  std::uint32_t& known(std::uint32_t number) noexcept {
    return ours_.data()[tree_.region_.index_of(number)];
  }
  ContextKey key_of(const InlineNode& node) const noexcept {
    const std::uint64_t first =
        tree_.slot_address(tree_.region_.node(tree_.region_.node_with(node.entry)), 0);
    return context_key(
        SiteOrdinal{static_cast<std::uint16_t>((node.entry - first) / kInlineSlotBytes)},
        MethodId{node.method});
  }

  const InlineTree& tree_;
  InlineMove& move_;
  shadowstack::LazyArray<std::uint32_t> ours_;
  bool has_memory_ = false;
  std::vector<std::uint32_t> path_, theirs_;
};

std::uint32_t InlineTree::MasterNodes::of(std::uint32_t number) {
  const InlineRegion& region = tree_.region_;
  path_.clear();
  while (number != tree_.root_ && known(number) == 0) {
    path_.push_back(number);
    number = region.node_with(region.node(number).entry);
  }
  theirs_.assign(1, number == tree_.root_ ? raw(kRootNode) : known(number));
  make_room(theirs_, path_.size() + 1);
  bool evicted = false;
  for (std::size_t i = path_.size(); i-- > 0;) {
    evicted |= move_.extend(theirs_, key_of(region.node(path_[i])));
  }
  if (evicted) ours_.forget();  // numbers of before
  for (std::size_t i = 0; i < path_.size(); ++i) {
    known(path_[i]) = theirs_[path_.size() - i];
  }
  return theirs_.back();
}

void InlineTree::spend_counts(InlineMove& move, Totals& totals) {
  // Nodes that keep_only() left may hang below newer ones.
  if (!is_large() || kept_bytes_ != 0) return move_counts(move, {}, totals);
  MasterNodes theirs(*this, move);
  if (!theirs.has_memory()) return move_counts(move, {}, totals);
  move_lost(move, totals);
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
    const std::uint64_t start = part->chunk.start;
    for (std::uint64_t at = start; at < start + part->used;) {
      const auto& node = *reinterpret_cast<const InlineNode*>(at);
      const std::uint32_t number = region_.number(node);
      at += inline_node_bytes(node.slots);
      if (node.method != 0) move_calls(number, move, totals, [&] { return theirs.of(number); });
    }
    region_.empty(part->chunk, std::exchange(part->used, 0));
  }
  left_out_ = {};
}

void InlineTree::note_counts(std::vector<InlineLeftOut>& counts) {
  noted_from_ = noted_to_ = counts.size();
  const auto note = [&](std::uint32_t number) {
    const std::uint64_t calls = calls_of(region_.node(number));
    if (calls != 0) counts.push_back({calls, number});
  };
  if (lost_ != 0) note(lost_);
  walk([&](const std::vector<Step>& path) {
    if (path.size() > 1) note(path.back().node);
  });
  noted_to_ = counts.size();
  std::sort(counts.begin() + static_cast<std::ptrdiff_t>(noted_from_), counts.end(),
            [](const InlineLeftOut& a, const InlineLeftOut& b) { return a.node < b.node; });
}

void InlineTree::leave_out(InlineLeftOut* counts) noexcept {
  left_out_ = {counts + noted_from_, counts + noted_to_};
  noted_from_ = noted_to_ = 0;
}

InlineLeftOut* InlineTree::left_out(std::uint32_t number) const noexcept {
  const auto found = std::ranges::lower_bound(left_out_, number, {}, &InlineLeftOut::node);
  return found == left_out_.end() || found->node != number ? nullptr : &*found;
}

std::uint64_t InlineTree::calls(std::uint32_t number) const noexcept {
  const InlineLeftOut* const before = left_out(number);
  return calls_of(region_.node(number)) - (before == nullptr ? 0 : before->calls);
}

std::vector<ContextNode> InlineTree::contexts() const {
  std::vector<ContextNode> nodes;
  std::vector<NodeIndex> above;  // of each on the path, its row
  walk([&](const std::vector<Step>& path) {
    above.resize(path.size());
    above.back() = NodeIndex{static_cast<std::uint32_t>(nodes.size())};
    const NodeIndex parent = path.size() == 1 ? kRootNode : above[path.size() - 2];
    nodes.push_back({parent, path.back().key, calls(path.back().node)});
  });
  if (nodes.empty()) nodes.push_back({kRootNode, 0, 0});
  return nodes;
}

bool InlineTree::begin_slice(std::uint64_t frame) noexcept {
  if (!has(frame)) return false;
  const std::uint32_t number = region_.node_with(frame);
  const InlineNode& node = region_.node(number);
  if (node.method == 0 || is_alias(number)) return false;
  region_.sees_calls();
  slice_ = number;
  top_seen_ = calls_of(node) - 1;
  return true;
}

bool InlineTree::begin_slice_below(std::uint64_t slot, std::vector<ContextNode>& scratch) {
  if (!has(slot)) return false;
  const std::uint32_t number = region_.node_with(slot);
  const InlineNode& node = region_.node(number);
  if ((node.method == 0 && number != root_) || is_alias(number)) return false;
  region_.sees_calls();
  slice_ = number;
  const bool was_seen = moves_ == 0 || (seen_below_ == number && seen_at_ == moves_);
  seen_below_ = 0;
  try {
    take_new_calls(was_seen ? Reach::kCalled : Reach::kAll, scratch);
  } catch (const std::bad_alloc&) {
    ++moves_;
    end_slice();
    throw;
  }
  seen_below_ = number;
  seen_at_ = moves_;
  top_seen_ = calls_of(node);
  return true;
}

bool InlineTree::is_inside_slice(std::uint64_t frame) noexcept {
  if (slice_ == 0 || !has(frame)) return false;
  const std::uint32_t asked = region_.node_with(frame);
  if (asked == slice_) return false;
  for (std::uint32_t number = self_or_aliased(asked); number != slice_ && number != inside_;) {
    const InlineNode& node = region_.node(number);
    if (node.method == 0) return false;
    number = self_or_aliased(region_.node_with(node.entry));
  }
  inside_ = self_or_aliased(asked);
  return true;
}

bool InlineTree::take_new_calls(Reach reach, std::vector<ContextNode>& taken) {
  taken.clear();
  bool has_all = true;
  std::vector<std::uint32_t> numbers;  // nodes of `taken`; 0: an alias, which shows another's
  numbers.reserve(taken.capacity());
  const auto take = [&](std::uint32_t number, std::uint32_t slot, std::size_t above) {
    const InlineNode& node = region_.node(number);
    const std::uint64_t calls = calls_of(node);
    std::uint64_t& seen = region_.seen_calls(number);
    if (calls == seen && reach == Reach::kCalled) return;
    const SiteOrdinal site{static_cast<std::uint16_t>(slot)};
    taken.push_back({NodeIndex{static_cast<std::uint32_t>(above)},
                     context_key(site, MethodId{node.method}), calls - std::exchange(seen, calls)});
    numbers.push_back(is_alias(number) ? 0 : number);
    if (numbers.back() == 0 && taken.back().calls != 0) has_all = has_all && shows_slice(number);
  };
  const InlineNode& top = region_.node(slice_);
  taken.push_back({kRootNode, context_key(kNoSite, MethodId{top.method}),
                   calls_of(top) - std::exchange(top_seen_, calls_of(top))});
  numbers.push_back(slice_);
  for (std::size_t above = 0; above < numbers.size(); ++above) {
    if (numbers[above] == 0) continue;
    const InlineNode& node = region_.node(numbers[above]);
    for (std::uint32_t slot = 0; slot < node.slots; ++slot) {
      const std::uint32_t first = number_in(slot_address(node, slot));
      if (first == 0) continue;
      if (!is_table(first)) {
        for (std::uint32_t callee = first; callee != 0; callee = region_.node(callee).next) {
          take(callee, slot, above);
        }
        continue;
      }
      const InlineNode& table = region_.node(first);
      for (std::uint32_t entry = 0; entry < table.slots; ++entry) {
        const std::uint32_t callee = number_in(slot_address(table, entry));
        if (callee != 0) take(callee, slot, above);
      }
    }
  }
  return has_all;
}

// Returns whether the callees of an alias are those of a node inside the open slice, or of its own.
bool InlineTree::shows_slice(std::uint32_t alias) noexcept {
  std::uint32_t number = self_or_aliased(alias);
  while (number != slice_) {
    const InlineNode& node = region_.node(number);
    if (node.method == 0) return false;
    number = self_or_aliased(region_.node_with(node.entry));
  }
  return true;
}

InlineTree::Base InlineTree::base_of(std::uint64_t slot) const {
  Base base;
  if (is_lost(slot)) {
    base.is_lost = true;
    return base;
  }
  std::vector<Above> above;
  if (!climb(slot, {}, {}, above)) return base;
  append_path(above, base.path);
  base.site = site_of(slot);
  return base;
}

}  // namespace copse::cct
