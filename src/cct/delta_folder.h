// A worker's private tree, small enough for a processor's cache. It may pass its limit by twice the
// frames of start chains, so that merging stays a small part of the work in deep recursion.
#pragma once

#include <span>

#include "cct/cct.h"
#include "cct/folder.h"
#include "cct/tree_folder.h"

namespace copse {

class DeltaFolder final : public Folder {
 public:
  DeltaFolder(const PlacingOptions& options, std::uint32_t nodes)
      : limit_(nodes), folder_(delta_, options) {}

  void fold(std::span<const Packet* const> packets) noexcept override { folder_.fold(packets); }
  bool full() const noexcept override {
    return delta_.node_count() >= limit_ + 2 * folder_.chain_nodes();
  }
  void merge_into(Cct& master) noexcept override {
    master.merge(delta_);
    delta_.clear();
    folder_.forget();
    master.add_calls(Cct::kOverflowNode, folder_.take_calls_lost());
  }
  std::uint64_t memory_bytes() const noexcept override { return delta_.memory_bytes(); }

 private:
  // A chain may be 2^24 frames deep; beyond this many nodes calls are lost and counted.
  static constexpr std::uint32_t kMostNodes = 1u << 27;

  const std::uint32_t limit_;
  Cct delta_{anonymous_memory(), kMostNodes};
  TreeFolder folder_;
};

}  // namespace copse
