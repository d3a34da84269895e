#include "cct/packets/measured_packets.h"

#include <algorithm>
#include <new>
#include <utility>

namespace copse::cct {

using RecordedPath = shadowstack::Recorder::Path;

void MeasuredPackets::measure(Measuring how) {
  measuring_ = std::move(how);
  measured_ = &engine_.measure(std::exchange(measuring_.columns, {}), measuring_.outside);
}

std::optional<ThreadIndex> MeasuredPackets::path_of(const shadowstack::ThreadHeader& header,
                                                    const shadowstack::ThreadPlace& place,
                                                    MethodId entered,
                                                    std::vector<ContextKey>& path) const {
  ThreadIndex thread = shadowstack::kNoThread;
  shadowstack::ThreadPlace there = place;
  there.word |= raw(entered);
  if (recorder_.path_of(header, there, measuring_.is_leaf_of, path, thread) !=
      RecordedPath::kKnown) {
    return std::nullopt;
  }
  for (ContextKey& key : path) key &= key_mask_;
  return thread;
}

std::shared_ptr<MeasuredPackets::Known> MeasuredPackets::known_of(
    const shadowstack::ThreadHeader& header) {
  {
    const std::lock_guard lock(known_mutex_);
    if (const auto found = known_.find(&header); found != known_.end()) return found->second;
  }
  return std::make_shared<Known>();
}

// Short paths cost less to find again than to keep.
void MeasuredPackets::keep(const shadowstack::ThreadHeader& header,
                           const std::shared_ptr<Known>& known) {
  constexpr std::size_t kShort = 32;
  constexpr std::size_t kMost = 256;
  if (known->path.length <= kShort) return;
  const std::lock_guard lock(known_mutex_);
  if (known_.size() >= kMost && !known_.contains(&header)) known_.clear();
  known_.try_emplace(&header, known);
}

// Throws std::bad_alloc: nothing was added.
void MeasuredPackets::add_along(Known& known, const ColumnAmount& amount, MethodId below) {
  std::vector<std::uint32_t>& nodes = known.nodes[amount.column];
  const std::span<const ContextKey> frames = std::span(known.path.frames).first(known.path.length);
  std::vector<ContextKey> path;
  std::vector<std::uint32_t> found;
  std::uint32_t from;
  do {
    if (known.version != measured_->version()) {
      known.version = measured_->version();
      for (std::vector<std::uint32_t>& of_column : known.nodes) of_column.clear();
    }
    path.clear();
    for (std::size_t i = nodes.size(); i < frames.size(); ++i) {
      path.push_back(frames[i] & key_mask_);
    }
    from = frames.empty() || nodes.empty() ? raw(kRootNode)
                                           : nodes[std::min(nodes.size(), frames.size()) - 1];
    if (known.path.next != 0) path.push_back(known.path.next & key_mask_);
    if (frames.empty() && path.empty()) path.push_back(measuring_.outside);
    if (below != kNoMethod) path.push_back(context_key(kNoSite, below));
  } while (!measured_->add_from(known.version, amount.column, from, path, amount.amount, found));
  if (nodes.size() >= frames.size()) return;
  found.resize(std::min(found.size(), frames.size() - nodes.size()));
  try {
    nodes.insert(nodes.end(), found.begin(), found.end());
  } catch (const std::bad_alloc&) {
    // The next amount goes the same way.
  }
}

void MeasuredPackets::add(const shadowstack::ThreadHeader& header,
                          const shadowstack::ThreadPlace& place,
                          std::span<const ColumnAmount> amounts, MethodId below,
                          const shadowstack::CodePlace*) noexcept {
  ThreadIndex thread = shadowstack::kNoThread;
  std::span<const ColumnAmount> lost = amounts;
  try {
    const std::shared_ptr<Known> known = known_of(header);
    const std::lock_guard lock(known->mutex);
    std::vector<std::vector<std::uint32_t>> nodes = std::exchange(known->nodes, {});
    const RecordedPath found = recorder_.path_of(header, place, measuring_.is_leaf_of, known->path);
    nodes.resize(measured_->columns());
    for (std::vector<std::uint32_t>& of_column : nodes) {
      of_column.resize(std::min(of_column.size(), known->path.unchanged));
    }
    known->nodes = std::move(nodes);
    if (found == RecordedPath::kEnded) return;
    thread = known->path.thread;
    if (found != RecordedPath::kLost) {
      for (; !lost.empty(); lost = lost.subspan(1)) add_along(*known, lost.front(), below);
      keep(header, known);
    }
  } catch (const std::bad_alloc&) {
    // Those not added yet are lost.
  }
  if (!lost.empty()) measured_->add_lost(lost);
  add_to_thread(thread, amounts);
}

}  // namespace copse::cct
