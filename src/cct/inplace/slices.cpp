#include "cct/inplace/slices.h"

#include <algorithm>
#include <new>
#include <utility>

#include "cct/cct.h"

namespace copse::cct {
namespace {

using Held = std::shared_ptr<const Slice>;

bool is_slower(const Held& a, const Held& b) { return a->wall_ns > b->wall_ns; }
bool has_more_calls(const Held& a, const Held& b) { return a->calls > b->calls; }

// Returns the first contexts, as many as there is `room` for, and adds the calls of the others.
std::vector<ContextNode> cut(std::span<const ContextNode> nodes, std::size_t& room,
                             std::uint64_t& calls_left_out) {
  const auto kept = nodes.first(std::min(nodes.size(), room));
  room -= kept.size();
  for (const ContextNode& node : nodes.subspan(kept.size())) calls_left_out += node.calls;
  return {kept.begin(), kept.end()};
}

Slice kept_of(const SliceFacts& facts, std::span<const ContextNode> nodes,
              std::span<const TaskTree> tasks) {
  Slice slice;
  static_cast<SliceFacts&>(slice) = facts;
  std::size_t room = kMostSliceContexts;
  slice.nodes = cut(nodes, room, slice.calls_left_out);
  for (const TaskTree& tree : tasks) {
    const std::vector<ContextNode> whole =
        tree.parts.size() == 1 ? tree.parts.front() : sum_of(tree.parts);
    slice.tasks.push_back({tree.base, {cut(whole, room, slice.calls_left_out)}, 0});
  }
  return slice;
}

}  // namespace

std::vector<ContextNode> sum_of(const std::vector<std::vector<ContextNode>>& parts) {
  Cct all(shadowstack::anonymous_memory(), Cct::kMostNodes);
  std::vector<ContextNode> sum = {{kRootNode, parts.front().front().key, 0}};
  std::vector<std::uint32_t> theirs;
  for (const std::vector<ContextNode>& part : parts) {
    sum.front().calls += part.front().calls;
    theirs.assign(1, raw(kRootNode));
    for (std::size_t i = 1; i < part.size(); ++i) {
      theirs.push_back(all.child(theirs[raw(part[i].parent)], part[i].key));
      if (theirs.back() == Cct::kOverflowNode) throw std::bad_alloc();
      all.add_calls(theirs.back(), part[i].calls);
    }
  }
  for (std::uint32_t i = 1; i < all.node_count(); ++i) sum.push_back(all.node(NodeIndex{i}));
  return sum;
}

CallsPerSlice& SliceSum::of(MethodId method) {
  if (raw(method) >= place_of.size()) place_of.resize(raw(method) + std::size_t{1});
  std::uint32_t& place = place_of[raw(method)];
  if (place == 0) {
    called.push_back({method, {}});
    place = static_cast<std::uint32_t>(called.size());
  }
  return called[place - 1].calls;
}

std::uint64_t Slices::next_id() noexcept {
  const std::lock_guard lock(mutex_);
  return ++last_id_;
}

bool Slices::any() const noexcept {
  const std::lock_guard lock(mutex_);
  return last_id_ != 0 || in_part_ != 0;
}

// A number from 0 on, by xorshift: which slices a sample has is the same for the same program.
std::uint64_t Slices::random_below(std::uint64_t end) noexcept {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_ % end;
}

std::uint8_t Slices::reasons_to_keep(const SliceFacts& facts) noexcept {
  std::uint8_t as = 0;
  if (slowest_.size() < keep_ || facts.wall_ns > slowest_.front()->wall_ns) as |= kSlowest;
  if (most_calls_.size() < keep_ || facts.calls > most_calls_.front()->calls) as |= kMostCalls;
  place_in_sample_ = sample_.size() < keep_ ? sample_.size() : random_below(ended_ + 1);
  if (place_in_sample_ < keep_) as |= kSample;
  return as;
}

void Slices::keep(Held slice, std::uint8_t as) {
  const auto put = [&](Kept& heap, auto is_before) {
    if (heap.size() < keep_) {
      heap.push_back(slice);
    } else {
      std::pop_heap(heap.begin(), heap.end(), is_before);
      heap.back() = slice;
    }
    std::push_heap(heap.begin(), heap.end(), is_before);
  };
  if ((as & kSlowest) != 0) put(slowest_, is_slower);
  if ((as & kMostCalls) != 0) put(most_calls_, has_more_calls);
  if ((as & kSample) == 0) return;
  if (place_in_sample_ == sample_.size()) {
    sample_.push_back(std::move(slice));
  } else {
    sample_[place_in_sample_] = std::move(slice);
  }
}

std::unique_ptr<Slices::ByMethod> Slices::take_scratch() {
  const std::lock_guard lock(mutex_);
  if (scratch_.empty()) return std::make_unique<ByMethod>();
  std::unique_ptr<ByMethod> taken = std::move(scratch_.back());
  scratch_.pop_back();
  return taken;
}

void Slices::sum(std::span<const ContextNode> nodes, ByMethod& by_method) {
  for (const ContextNode& node : nodes) {
    const std::uint32_t method = raw(method_of(node.key));
    if (node.calls == 0) continue;
    if (method >= by_method.calls.size()) by_method.calls.resize(method + std::size_t{1});
    if (by_method.calls[method] == 0) by_method.methods.push_back(method);
    by_method.calls[method] += node.calls;
  }
}

void Slices::add(const SliceFacts& facts, std::span<const ContextNode> nodes,
                 const std::function<void(Slice&)>& complete,
                 std::span<const TaskTree> tasks) noexcept {
  try {
    std::unique_ptr<ByMethod> by_method = take_scratch();
    sum(nodes, *by_method);
    for (const TaskTree& tree : tasks) {
      for (const std::vector<ContextNode>& part : tree.parts) sum(part, *by_method);
    }
    const std::lock_guard lock(mutex_);
    scratch_.reserve(scratch_.size() + 1);
    if (const std::uint8_t as = reasons_to_keep(facts); as != 0) {
      auto slice = std::make_shared<Slice>(kept_of(facts, nodes, tasks));
      complete(*slice);
      keep(std::move(slice), as);
    }
    SliceSum& sum = sums_[facts.method];
    ++sum.slices;
    ++ended_;
    sum.calls += facts.calls;
    sum.wall_ns += facts.wall_ns;
    for (std::size_t i = 0; i < kMostSliceMeasures; ++i) sum.amounts[i] += facts.amounts[i];
    for (const std::uint32_t method : by_method->methods) {
      sum.of(MethodId{method}).add(std::exchange(by_method->calls[method], 0), facts.id);
    }
    by_method->methods.clear();
    scratch_.push_back(std::move(by_method));
  } catch (const std::bad_alloc&) {
    add_in_part();
  }
}

void Slices::add_in_part() noexcept {
  const std::lock_guard lock(mutex_);
  ++in_part_;
}

void Slices::clear() noexcept {
  const std::lock_guard lock(mutex_);
  sums_.clear();
  slowest_.clear();
  most_calls_.clear();
  sample_.clear();
  ended_ = in_part_ = last_id_ = 0;
}

std::unique_ptr<Slices> Slices::copy() const {
  const std::lock_guard lock(mutex_);
  auto copy = std::make_unique<Slices>(keep_);
  copy->last_id_ = last_id_;
  copy->sums_ = sums_;
  copy->ended_ = ended_;
  copy->in_part_ = in_part_;
  copy->slowest_ = slowest_;
  copy->most_calls_ = most_calls_;
  copy->sample_ = sample_;
  copy->random_ = random_;
  return copy;
}

SlicesSoFar Slices::so_far() const {
  const std::lock_guard lock(mutex_);
  SlicesSoFar so_far;
  so_far.keep = keep_;
  so_far.sums = sums_;
  so_far.in_part = in_part_;
  std::map<std::uint64_t, KeptSlice> kept;
  const auto add = [&](const Kept& slices, KeptAs as) {
    for (const Held& slice : slices) {
      KeptSlice& row = kept[slice->id];
      row.slice = slice;
      row.as |= as;
    }
  };
  add(slowest_, kSlowest);
  add(most_calls_, kMostCalls);
  add(sample_, kSample);
  for (auto& [id, slice] : kept) so_far.kept.push_back(std::move(slice));
  return so_far;
}

}  // namespace copse::cct
