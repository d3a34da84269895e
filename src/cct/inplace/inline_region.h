// Memory of the trees in place: one stretch of address space, so that 32 bits name a node, handed
// out in zeroed chunks. The unowned node lies at its start: it has every slot a call site can have,
// all empty, and serves frames that belong to no thread's tree.
//
// Node numbers count from one base address in all consecutive regions of a process, so that probes
// can treat the base as a constant. Each region begins behind the used part of the one before it. What is kept beside the
// nodes is in arrays over all regions. Live frames may touch the nodes of a recording long after its end, so a region's
// addresses stay readable and writable; leave() makes one mapping of all regions so far, which takes memory only
// where such frames write.
// Where address space allows, the base is below 2^31 (low_memory.h), with zeros in the place of node
// number 0, to which empty slots lead, and the region above it. Otherwise the region begins there.
//
// Chunks given back are handed out again, whole or halved, before new memory is touched. Memory
// ever touched therefore stays within the bound, except for chunks taken over the bound.
// Thread-safe: one mutex, taken once per chunk.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "cct/inplace/inline_layout.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/memory_source.h"

namespace copse::cct {

// Recordings of one process have used up all node numbers.
class NoNumbersLeft final : public std::exception {
 public:
  const char* what() const noexcept override { return "no node numbers are left"; }
};

class InlineRegion {
 public:
  struct Chunk {
    std::uint64_t start = 0;  // address of its first node; 0: none
    int log = 0;              // log2 of its bytes, InlineChunk included
    std::uint64_t bytes() const noexcept { return (std::uint64_t{1} << log) - sizeof(InlineChunk); }
    InlineChunk& header() const noexcept {
      return *reinterpret_cast<InlineChunk*>(start - sizeof(InlineChunk));
    }
  };
  static constexpr int kLeastLog = 9;  // a virtual thread may make a handful of calls
  // Returns the log of the smallest chunk with `bytes` bytes for nodes.
  static int log_for(std::uint64_t bytes) noexcept {
    return std::max(kLeastLog, static_cast<int>(std::bit_width(bytes + sizeof(InlineChunk) - 1)));
  }

  // Makes a region of at most `most_bytes` of chunks. `before`: the region that this one follows;
  // it gives up its unused address space and hands out no more chunks. nullptr means none. Throws
  // std::bad_alloc without memory to start with, and NoNumbersLeft when `before` and those before it have used the numbers up.
  InlineRegion(shadowstack::MemorySource& memory, std::uint64_t most_bytes,
               InlineRegion* before = nullptr);
  ~InlineRegion();
  InlineRegion(const InlineRegion&) = delete;
  InlineRegion& operator=(const InlineRegion&) = delete;

  // Address from which node numbers count.
  std::uint64_t base() const noexcept { return base_; }
  // Address of the first chunk.
  std::uint64_t first_chunk() const noexcept { return start_ + first_chunk_; }
  // Returns true for slots of the unowned node.
  bool is_unowned(std::uint64_t slot) const noexcept {
    return slot >= start_ && slot < first_chunk();
  }
  // Returns true for slots in this region.
  bool has(std::uint64_t slot) const noexcept {
    return slot >= start_ && slot < start_ + reserved_;
  }
  InlineNode& unowned() const noexcept { return *reinterpret_cast<InlineNode*>(start_); }
  std::uint64_t unowned_address() const noexcept {
    return reinterpret_cast<std::uint64_t>(&unowned());
  }

  InlineNode& node(std::uint32_t number) const noexcept {
    return *reinterpret_cast<InlineNode*>(base_ + number * std::uint64_t{kInlineUnit});
  }
  std::uint32_t number(const InlineNode& node) const noexcept {
    return static_cast<std::uint32_t>((reinterpret_cast<std::uint64_t>(&node) - base_) /
                                      kInlineUnit);
  }

  // Returns the node that a slot belongs to, from a bit per unit that marks the start of each node.
  // Called by, like the next two: the thread of the tree. A chunk's bits have words of their own.
  std::uint32_t node_with(std::uint64_t slot) const noexcept;
  void note_node(std::uint32_t number) noexcept {
    const std::uint32_t unit = number - first_number();
    space_->starts.data()[unit / 64] |= std::uint64_t{1} << unit % 64;
  }
  void forget_nodes(const Chunk& chunk) noexcept;

  // Returns an index below index_count(); that of each node is its own.
  std::uint32_t index_of(std::uint32_t number) const noexcept {
    return (number - this->number(unowned())) / kLeastUnits;
  }
  std::uint64_t index_count() const noexcept;

  // Keeps a second count for each node, zero at first: the calls that a pass over the node has seen (InlineTree,
  // take_new_calls()). From the first sees_calls() on, that adds a quarter to the memory of the chunks. Returns false
  // without memory. REQUIRES: no chunk was taken.
  bool keep_seen_calls() noexcept;
  // Says that passes have seen calls: counts may then differ from zero.
  void sees_calls() noexcept { sees_.store(true, std::memory_order_relaxed); }
  bool has_seen_calls() const noexcept { return sees_.load(std::memory_order_relaxed); }
  // REQUIRES: keep_seen_calls() returned true. Called by: the thread of the tree, or under its lock.
  std::uint64_t& seen_calls(std::uint32_t number) const noexcept {
    const std::uint32_t index = (number - first_number()) / kLeastUnits;
    return const_cast<std::uint64_t*>(space_->seen->data())[index];
  }

  // Returns a chunk; its start is 0 when the bound or the system's memory is reached. `over_bound`:
  // ignores the bound.
  Chunk take(int log, ThreadIndex owner, bool over_bound = false) noexcept;
  // Counts memory outside the region against the bound; negative when it shrinks.
  void count_beside(std::int64_t bytes) noexcept {
    beside_.fetch_add(bytes, std::memory_order_relaxed);
  }
  // Takes back a chunk whose first `used` bytes were written to.
  void give_back(Chunk chunk, std::uint64_t used) noexcept;

  // Gives back memory of a chunk all of whose counts were moved; its first `used` bytes were written to. Readers of a
  // killed process's memory skip it from now on. It is not handed out again; pages touched later are zero.
  void empty(Chunk chunk, std::uint64_t used) noexcept;
  // Zeroes all chunks and gives their memory back; pages touched later take memory again.
  void empty() noexcept;
  // Gives back everything, and the memory source with it. Nodes are zero from now on, those of all regions before, too.
  // REQUIRES: probes alone may still touch the region.
  void leave() noexcept;

  std::uint64_t memory_bytes() const noexcept;  // of the chunks handed out

 private:
  static constexpr int kLogs = 40;
  static constexpr std::uint32_t kLeastUnits = kLeastInlineBytes / kInlineUnit;  // of a node

  void reserve();
  bool reserve_low();
  void reserve_behind(InlineRegion& before);
  // Returns the number of the first region's unowned node. Arrays beside the nodes begin there.
  std::uint32_t first_number() const noexcept {
    return static_cast<std::uint32_t>((space_->origin - base_) / kInlineUnit);
  }
  std::uint64_t offset_of(std::uint64_t address) const noexcept { return address - space_->origin; }
  std::uint64_t take_free(int log) noexcept;
  static void set_log(std::uint64_t start, int log) noexcept;
  std::uint64_t take_new(std::uint64_t bytes, bool over_bound) noexcept;

  // The address space of all consecutive regions, and the arrays beside their nodes, which only the last region makes
  // longer. Unmapped with the last region.
  struct Space {
    Space(std::uint64_t first_start, std::uint64_t most_bytes);
    ~Space();
    Space(const Space&) = delete;
    Space& operator=(const Space&) = delete;

    const std::uint64_t origin;  // where the first region starts
    const std::uint64_t bytes;
    shadowstack::LazyArray<std::uint64_t> starts;               // bit per unit: a node starts
    std::optional<shadowstack::LazyArray<std::uint64_t>> seen;  // one per kLeastUnits
  };

  shadowstack::MemorySource* memory_;
  const std::uint64_t most_bytes_;
  std::uint64_t base_ = 0;
  std::uint64_t start_ = 0;        // address of the unowned node
  std::uint64_t reserved_ = 0;     // bytes from the start, like used_ and committed_
  std::uint64_t first_chunk_ = 0;  // bytes from the start; constant after construction

  std::shared_ptr<Space> space_;
  bool keeps_seen_ = false;
  std::atomic<bool> sees_{false};

  std::atomic<std::int64_t> beside_{0};

  mutable std::mutex mutex_;
  std::uint64_t used_ = 0;
  std::uint64_t committed_ = 0;
  std::uint64_t handed_out_ = 0;
  std::array<std::vector<std::uint64_t>, kLogs> free_;  // addresses of free chunks, by log
};

}  // namespace copse::cct
