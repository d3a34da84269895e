#include "cct/packets/tree_folder.h"

#include <algorithm>
#include <new>

namespace copse::cct {
namespace {

// Start chains of more blocks than this are deep: 2,048 frames.
constexpr std::uint32_t kDeepBlocks = 2048 / shadowstack::FrameBlock::kFrames;

}  // namespace

TreeFolder::TreeFolder(Cct& tree, const PlacingOptions& options) noexcept
    : tree_(tree), key_mask_(options.sites ? kKeyMask : kMethodMask), merged_(options.merged) {
  take_merged();
}

void TreeFolder::forget() noexcept {
  for (ThreadPaths<std::uint32_t>& paths : paths_) paths.clear();
  single_paths_.clear();
  chain_nodes_ = 0;
  recursive_calls_.clear();
  if (is_behind()) take_merged();
}

void TreeFolder::take_merged() noexcept {
  if (!merged_) return;
  try {
    const MergedRecursion told = merged_->told();
    std::vector<bool> now(told.all ? 1 : 0);
    if (!told.methods.empty()) now.resize(raw(told.methods.back()) + std::size_t{1});
    for (const MethodId method : told.methods) now[raw(method)] = true;
    merged_now_ = std::move(now);
    merges_all_ = told.all;
    merged_version_ = told.times;
  } catch (const std::bad_alloc&) {
    // Full for a while longer.
  }
}

void TreeFolder::fold(std::span<shadowstack::Packet* const> packets) noexcept {
  Lane lanes[kLanes];
  shadowstack::Packet* abreast[kLanes];
  std::size_t open_lanes = 0;
  std::uint64_t calls = 0;
  for (shadowstack::Packet* packet : packets) {
    if (packet->count == 0) continue;
    // Packets of a deep thread go one by one: each lane would look up much of the chain.
    const shadowstack::FrameBlock* top = packet->start.top();
    if (merges() || (top != nullptr && top->index >= kDeepBlocks)) {
      fold_alone(packet);
    } else if (!open(lanes[open_lanes], *packet, paths_[open_lanes])) {
      lose(packet);
    } else {
      abreast[open_lanes++] = packet;
      calls += packet->count;
    }
  }
  if (open_lanes == 0) return;
  KeptTree& kept = tree_.kept();
  kept.takes({abreast, open_lanes}, open_lanes == 1 ? 0 : KeptTree::kStillAbreast);
  std::ptrdiff_t rounds = 0;
  if (open_lanes == 4) rounds = fold_abreast<4>(lanes);
  if (open_lanes == 3) rounds = fold_abreast<3>(lanes);
  if (open_lanes == 2) rounds = fold_abreast<2>(lanes);
  shadowstack::in_this_order();
  kept.rounds = static_cast<std::uint64_t>(rounds);
  shadowstack::in_this_order();
  for (std::size_t i = 0; i < open_lanes; ++i) fold_rest<false>(lanes[i]);
  kept.took_packets(calls);
}

void TreeFolder::fold_alone(shadowstack::Packet* packet) noexcept {
  Lane lane;
  if (!open(lane, *packet, single_paths_)) return lose(packet);
  tree_.kept().takes({&packet, 1}, 0);
  merges() ? fold_rest<true>(lane) : fold_rest<false>(lane);
  tree_.kept().took_packets(packet->count);
}

void TreeFolder::lose(shadowstack::Packet* packet) noexcept {
  tree_.kept().takes({&packet, 1}, 0);
  tree_.add_calls(Cct::kOverflowNode, packet->count);
  tree_.kept().took_packets(packet->count);
}

bool TreeFolder::open(Lane& lane, const shadowstack::Packet& packet,
                      ThreadPaths<std::uint32_t>& paths) noexcept {
  ThreadPath<std::uint32_t>& path = paths.of(packet.thread);
  const bool loaded =
      path.load(packet, raw(kRootNode), [this](std::uint32_t* frame, ContextKey key) noexcept {
        frame[0] = key == 0 ? frame[-1] | kUnknownFrame : place(frame[-1], key & key_mask_);
        ++chain_nodes_;
      });
  if (!loaded) return false;
  const std::span<const CallRecord> records = packet.records();
  lane = {&path, records.data(), records.data() + records.size(), path.entries(), path.live()};
  return true;
}

// Until one of the lanes ends or needs the slow way, for a record under an unknown frame. Returns
// how many records of each it folded.
template <std::size_t kCount>
std::ptrdiff_t TreeFolder::fold_abreast(Lane* lanes) noexcept {
  const CallRecord* next[kCount];
  std::uint32_t* nodes[kCount];
  std::uint32_t live[kCount];
  std::ptrdiff_t rounds = lanes[0].end - lanes[0].record;
  // Every loop over lanes is unrolled, so that these arrays can be registers.
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kCount; ++i) {
    next[i] = lanes[i].record;
    nodes[i] = lanes[i].nodes;
    live[i] = lanes[i].live;
    rounds = std::min(rounds, lanes[i].end - lanes[i].record);
  }
  const ContextKey key_mask = key_mask_;
  Cct::Placer placer(tree_);
  std::ptrdiff_t round = 0;
  for (; round < rounds; ++round) {
    CallRecord record[kCount];
    std::uint32_t above[kCount];
    std::uint32_t node[kCount];
    std::uint32_t slow = 0;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kCount; ++i) {
      record[i] = next[i][round];
      const std::uint32_t depth = depth_of(record[i]);
      above[i] = depth <= live[i] ? nodes[i][depth] : kUnknownFrame;
      slow |= above[i];
    }
    if ((slow & kUnknownFrame) != 0) [[unlikely]]
      break;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kCount; ++i) {
      node[i] = placer.likely_child(above[i], record[i] & key_mask);
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kCount; ++i) {
      node[i] = placer.call(above[i], record[i] & key_mask, node[i]);
      const std::uint32_t depth = depth_of(record[i]);
      nodes[i][depth + 1] = node[i];
      live[i] = depth + 1;
    }
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kCount; ++i) {
    lanes[i].record += round;
    lanes[i].live = live[i];
  }
  return round;
}

template <bool kMergeRecursion>
void TreeFolder::fold_rest(Lane& lane) noexcept {
  std::uint32_t* nodes = lane.nodes;
  std::uint32_t live = lane.live;
  const ContextKey key_mask = key_mask_;
  Cct::Placer placer(tree_);
  for (const CallRecord* next = lane.record; next != lane.end; ++next) {
    const CallRecord record = *next;
    const std::uint32_t depth = depth_of(record);
    if (depth > live) [[unlikely]] {
      const std::size_t left = static_cast<std::size_t>(lane.end - next);
      if (!lane.path->ensure(depth + left)) {
        tree_.add_calls(Cct::kOverflowNode, left);
        lane.path->clear();
        return;
      }
      nodes = lane.path->entries();
      std::fill(nodes + live + 1, nodes + depth + 1, nodes[live] | kUnknownFrame);
    }
    const std::uint32_t above = nodes[depth];
    std::uint32_t node;
    if (!kMergeRecursion && (above & kUnknownFrame) == 0) [[likely]] {
      node = placer.call(above, record & key_mask, placer.likely_child(above, record & key_mask));
    } else {
      node = place(above, record & key_mask);
      tree_.add_calls(node, 1);
    }
    nodes[depth + 1] = node;
    live = depth + 1;
  }
  lane.path->set_live(live);
}

std::uint32_t TreeFolder::place(std::uint32_t above, ContextKey key) noexcept {
  if ((above & kUnknownFrame) != 0) return place_under_unknown(above, key);
  return merges() ? place_merged(above, key) : tree_.child(above, key);
}

std::uint32_t TreeFolder::place_under_unknown(std::uint32_t above, ContextKey key) noexcept {
  if (above == Cct::kOverflowNode) return above;
  const ContextKey without_site = key & kMethodMask;
  const std::uint32_t known = above & ~kUnknownFrame;
  return merges() ? place_merged(known, without_site) : tree_.child(known, without_site);
}

// A merged method's node has no child of that method and none below, or these are merged when the
// tree is, so the order of the look-ups does not matter: the cheap and frequent one comes first, the
// walk is done once per pair.
std::uint32_t TreeFolder::place_merged(std::uint32_t above, ContextKey key) noexcept {
  if (!merges(method_of(key))) return tree_.child(above, key);
  if (const std::uint32_t child = tree_.find(above, key); child != 0) return child;
  const std::uint64_t call = std::uint64_t{above} << 32 | raw(method_of(key));
  if (const auto known = recursive_calls_.find(call); known != recursive_calls_.end()) {
    return known->second;
  }
  std::uint32_t node = above;
  while (node != 0 && method_of(tree_.key(node)) != method_of(key)) node = tree_.parent(node);
  if (node == 0) return tree_.child(above, key);
  try {
    recursive_calls_.emplace(call, node);
  } catch (const std::bad_alloc&) {
    // Found again by walking next time.
  }
  return node;
}

}  // namespace copse::cct
