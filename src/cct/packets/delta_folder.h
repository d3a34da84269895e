// A worker's private tree, small enough for a processor's cache. It may exceed its limit by twice
// the frames of start chains, so that merging stays a small part of the work in deep recursion.
#pragma once

#include <span>

#include "cct/cct.h"
#include "cct/packets/folder.h"
#include "cct/packets/tree_folder.h"

namespace copse::cct {

class DeltaFolder final : public Folder {
 public:
  // The tree's nodes are in `memory`, which must outlive it.
  DeltaFolder(const PlacingOptions& options, std::uint32_t nodes, shadowstack::MemorySource& memory)
      : limit_(nodes),
        delta_(memory, kMostNodes, &shadowstack::anonymous_memory()),
        folder_(delta_, options) {}

  void keep_in(KeptTree& kept) noexcept override { delta_.keep_in(kept); }

  void fold(std::span<shadowstack::Packet* const> packets) noexcept override {
    folder_.fold(packets);
  }
  bool full() const noexcept override {
    return delta_.node_count() >= limit_ + 2 * folder_.chain_nodes() || folder_.is_behind();
  }
  void merge_into(Cct& master) noexcept override {
    master.kept().takes(delta_.kept());
    master.merge(delta_);
    master.kept().took_tree([this] { delta_.clear(); });
    folder_.forget();
  }

 private:
  // A chain may be 2^24 frames deep; beyond this many nodes calls are lost and counted.
  static constexpr std::uint32_t kMostNodes = 1u << 27;

  const std::uint32_t limit_;
  Cct delta_;
  TreeFolder folder_;
};

}  // namespace copse::cct
