// One thread's in-line tree (inline_layout.h): what its probes cannot do by themselves.
//
// Slots with many callees, such as a thread's entry, are looked up in a table; their lists keep the
// two callees used last. Nodes are made here and never move, so probes need no lock.
// Threads: the caller's lock; probes of the tree's thread may run meanwhile.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "cct/cct.h"
#include "cct/inline_region.h"

namespace copse {

class InlineTree {
 public:
  explicit InlineTree(InlineRegion& region) noexcept : region_(region) {}
  ~InlineTree() { clear(); }
  InlineTree(const InlineTree&) = delete;
  InlineTree& operator=(const InlineTree&) = delete;

  // Where calls without a recorded caller hang; 0 when there is no memory.
  std::uint64_t root_slot() noexcept;

  // The node of `method` in `slot`, made with `slots` slots if need be. When there is no room for
  // it, the node of what is lost: its calls, and all that would hang below, are lost.
  // 0 when there is not even memory for that one. Cost: some ten ns when it is there.
  std::uint32_t place(std::uint64_t slot, MethodId method, std::uint32_t slots) noexcept;

  // From now on no node is made: what would need one is lost.
  void freeze() noexcept { frozen_ = true; }

  struct Totals {
    std::uint64_t calls = 0;   // lost ones included
    std::uint64_t lost = 0;    // of these
    ContextKey first_key = 0;  // of the first call in the root slot
  };
  // Adds the tree's nodes and calls to `tree`; what finds no room there is counted there.
  Totals add_to(Cct& tree) const;

  // Gives back all memory. The thread must not run probes on it any more.
  void clear() noexcept;

 private:
  struct Part {
    InlineRegion::Chunk chunk;
    std::uint64_t used = 0;
  };
  struct PairHash {
    std::size_t operator()(std::uint64_t key) const noexcept {
      return static_cast<std::size_t>((key * 0x9E37'79B9'7F4A'7C15u) >> 20);
    }
  };

  InlineNode* make(MethodId method, std::uint64_t slot, std::uint32_t slots) noexcept;
  InlineNode* room_for(std::uint64_t bytes) noexcept;
  std::uint32_t lost() noexcept;
  bool is_lost(std::uint64_t slot) const noexcept;
  std::uint64_t slot_address(const InlineNode& node, std::uint32_t slot) const noexcept;
  std::uint64_t wide_key(std::uint64_t slot, MethodId method) const noexcept;
  bool widen(std::uint64_t slot) noexcept;
  void move_to_front(std::uint64_t slot, std::uint32_t number) noexcept;

  InlineRegion& region_;
  std::vector<Part> parts_;
  int next_log_ = InlineRegion::kLeastLog;
  bool frozen_ = false;
  std::uint32_t root_ = 0;
  std::uint32_t lost_ = 0;  // the node of what is lost, of every possible slot; 0: none yet
  ContextKey first_key_ = 0;
  // Of wide slots: all their callees, and (slot, method) -> callee.
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>, PairHash> wide_;
  std::unordered_map<std::uint64_t, std::uint32_t, PairHash> wide_callees_;
};

}  // namespace copse
