// The live frames of recently seen threads, as a folder resolved them. A packet's start chain is
// looked up only where it differs from the last known frames of its thread:
//   the packet that follows the last one: no look-up, the frames are where it left them;
//   another packet: from the first block that is not the same, or has changed since.
//
// Entry 0 of a path is ROOT, entry d + 1 the frame at depth d. The entry of an unknown frame is the
// result of `place` for key 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "shadowstack/packet.h"

namespace copse::cct {

template <typename Entry>
class ThreadPath {
  static_assert(std::is_trivially_copyable_v<Entry>);

 public:
  ThreadPath() = default;
  ~ThreadPath() { std::free(entries_); }
  ThreadPath(const ThreadPath&) = delete;
  ThreadPath& operator=(const ThreadPath&) = delete;

  Entry* entries() noexcept { return entries_; }
  // Depth below which frames have entries.
  std::uint32_t live() const noexcept { return live_; }

  // Makes the entries below the packet's first record those of its start chain. `place(Entry*
  // frame, ContextKey key)` fills frame[0] and may read frame[-1]. Returns false without memory.
  template <typename Place>
  bool load(const shadowstack::Packet& packet, Entry root, Place place) noexcept {
    const std::uint32_t first_depth = depth_of(packet.records()[0]);
    if (!ensure(std::max(live_, first_depth) + packet.count)) return false;
    if (!in_use_ || thread_ != packet.thread) {
      valid_ = 0;
      entries_[0] = root;
    } else if (sequence_ + 1 == packet.sequence) {
      valid_ = live_;
    } else {
      valid_ = std::min(valid_, shadowstack::FrameChain::shared_depth(chain_, packet.start));
    }
    in_use_ = true;
    thread_ = packet.thread;
    sequence_ = packet.sequence;
    chain_ = packet.start;
    if (valid_ < first_depth && !fill(first_depth, place)) return false;
    // Entries below the first record are valid now. After the packet, those below its smallest
    // depth remain valid.
    valid_ = packet.min_depth;
    live_ = first_depth;
    return true;
  }

  // Makes room for `frames` frames; entries may move. Returns false without memory.
  bool ensure(std::size_t frames) noexcept {
    if (frames + 2 <= capacity_) return true;
    const std::size_t wanted = std::max<std::size_t>({frames + 2, capacity_ * 2, 512});
    void* grown = std::realloc(entries_, wanted * sizeof *entries_);
    if (grown == nullptr) return false;
    entries_ = static_cast<Entry*>(grown);
    capacity_ = wanted;
    return true;
  }

  // Sets the depth after the packet's last record. The packet left the entries below it.
  void set_live(std::uint32_t frames) noexcept { live_ = frames; }

  // Forgets the frames; memory stays.
  void clear() noexcept {
    in_use_ = false;
    valid_ = live_ = 0;
    chain_ = shadowstack::FrameChain();
  }

 private:
  template <typename Place>
  bool fill(std::uint32_t first_depth, Place place) noexcept {
    try {
      blocks_.clear();
      const shadowstack::FrameBlock* block = chain_.top();
      for (; block != nullptr && block->index >= valid_ / shadowstack::FrameBlock::kFrames;
           block = block->below) {
        blocks_.push_back(block);
      }
    } catch (const std::bad_alloc&) {
      clear();
      return false;
    }
    for (std::uint32_t depth = valid_; depth < first_depth; ++depth) {
      const std::uint32_t index = depth / shadowstack::FrameBlock::kFrames;
      while (!blocks_.empty() && blocks_.back()->index < index) blocks_.pop_back();
      const bool known = !blocks_.empty() && blocks_.back()->index == index;
      place(entries_ + depth + 1,
            known ? blocks_.back()->keys[depth % shadowstack::FrameBlock::kFrames] : 0);
    }
    return true;
  }

  bool in_use_ = false;
  ThreadIndex thread_{};
  std::uint64_t sequence_ = 0;
  // Start of the last packet; held, so that the addresses of its blocks are not reused.
  shadowstack::FrameChain chain_;
  std::uint32_t valid_ = 0;  // entries of frames below this depth are those of chain_
  std::uint32_t live_ = 0;
  Entry* entries_ = nullptr;
  std::size_t capacity_ = 0;
  std::vector<const shadowstack::FrameBlock*> blocks_;
};

// A few paths, found by thread index. Threads with the same remainder share a path in turn.
template <typename Entry>
class ThreadPaths {
 public:
  static constexpr std::size_t kPaths = 16;

  ThreadPath<Entry>& of(ThreadIndex thread) noexcept { return paths_[raw(thread) % kPaths]; }
  void clear() noexcept {
    for (ThreadPath<Entry>& path : paths_) path.clear();
  }
  auto begin() noexcept { return std::begin(paths_); }
  auto end() noexcept { return std::end(paths_); }

 private:
  ThreadPath<Entry> paths_[kPaths];
};

}  // namespace copse::cct
