// Folds packets into a context tree.
//
// There are three ways to place a call: by call site and method, by method alone (sites off), or
// with recursion merged: a call of a merged method that is already on the path goes to that
// method's node (merged_methods.h).
//
// A frame with an unknown caller hangs under the nearest known frame below it, ROOT if none. It
// gets no call site, since a site is an ordinal in its caller. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cct/cct.h"
#include "cct/merged_methods.h"
#include "cct/thread_paths.h"
#include "shadowstack/packet.h"

namespace copse::cct {

struct PlacingOptions {
  bool sites = true;
  std::shared_ptr<const MergedMethods> merged = nullptr;  // nullptr: no methods
};

class TreeFolder {
 public:
  static constexpr std::size_t kLanes = 4;

  // Folds into `tree`, which must outlive the folder. The folder and the callers of forget() alone
  // may change the tree.
  TreeFolder(Cct& tree, const PlacingOptions& options) noexcept;

  // Adds the records of 1 to kLanes packets, in any order. Records without memory are lost and
  // counted by the tree. Packets of one call are folded abreast, a record of each in turn, so that
  // the work on one hides the waits of another (a cache miss, or the node for its next call). Cost:
  // 3-7 ns per record for one packet, 3-4 abreast, in the caches; plus the new part of each start
  // chain.
  void fold(std::span<shadowstack::Packet* const> packets) noexcept;

  // Drops all node numbers. Must follow every change to the tree outside fold(). REQUIRES: the
  // caller holds the lock under which methods are merged.
  void forget() noexcept;

  // Returns true if methods were merged since forget(). Their recursion in the tree is not merged
  // yet.
  bool is_behind() const noexcept { return merged_ && merged_->version() != merged_version_; }

  // Number of nodes made or found for start chains since forget().
  std::uint64_t chain_nodes() const noexcept { return chain_nodes_; }

 private:
  // A packet being folded.
  struct Lane {
    ThreadPath<std::uint32_t>* path;
    const CallRecord* record;  // the next one
    const CallRecord* end;
    std::uint32_t* nodes;  // the path's entries
    std::uint32_t live;    // frames with entries
  };

  bool open(Lane& lane, const shadowstack::Packet& packet,
            ThreadPaths<std::uint32_t>& paths) noexcept;
  void fold_alone(shadowstack::Packet* packet) noexcept;
  void lose(shadowstack::Packet* packet) noexcept;
  template <std::size_t kCount>
  std::ptrdiff_t fold_abreast(Lane* lanes) noexcept;
  template <bool kMergeRecursion>
  void fold_rest(Lane& lane) noexcept;

  // Flag in a path's entry of an unknown frame; the other bits are the node that its callees hang
  // under.
  static constexpr std::uint32_t kUnknownFrame = 0x8000'0000;
  static_assert((Cct::kOverflowNode & kUnknownFrame) != 0 && Cct::kMostNodes <= kUnknownFrame);

  bool merges() const noexcept { return !merged_now_.empty(); }
  bool merges(MethodId method) const noexcept {
    return raw(method) < merged_now_.size() ? merged_now_[raw(method)] : merges_all_;
  }
  void take_merged() noexcept;
  std::uint32_t place(std::uint32_t above, ContextKey key) noexcept;
  std::uint32_t place_under_unknown(std::uint32_t above, ContextKey key) noexcept;
  std::uint32_t place_merged(std::uint32_t above, ContextKey key) noexcept;

  Cct& tree_;
  const ContextKey key_mask_;
  const std::shared_ptr<const MergedMethods> merged_;
  // Merged methods as of forget(), by method: the tree is made for them. Never empty if all methods
  // are merged.
  std::vector<bool> merged_now_;
  bool merges_all_ = false;
  std::uint32_t merged_version_ = 0;
  ThreadPaths<std::uint32_t> paths_[kLanes];  // by lane: one thread may be in several
  ThreadPaths<std::uint32_t> single_paths_;   // for packets folded alone
  std::uint64_t chain_nodes_ = 0;
  // (node, method) -> the node's ancestor-or-self of that method: results of walks up the path.
  std::unordered_map<std::uint64_t, std::uint32_t> recursive_calls_;
};

}  // namespace copse::cct
