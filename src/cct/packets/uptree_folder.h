// Folds packets into a calling context uptree: the second engine, for comparison with the tree.
//
//   eager (event_every 0)   a node for every call; same contexts and counts as the tree
//   lazy  (event_every n)   every n-th call of a thread is an event; nodes are made only then, for
//                           the frames that have none yet. Contexts and counts are those of events
//
// Frames keep their nodes from packet to packet and are the collector's roots. A full uptree is
// collected; if more than half of it remains, it is due for merging.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cct/packets/folder.h"
#include "cct/packets/uptree.h"
#include "cct/thread_paths.h"

namespace copse::cct {

struct UptreeFolderOptions {
  bool sites = true;
  std::uint64_t event_every = 0;
  std::uint32_t nodes = 1u << 16;  // contexts in a collected uptree before it is merged
};

class UptreeFolder final : public Folder {
 public:
  // The tree's nodes are in `memory`, which must outlive it.
  UptreeFolder(const UptreeFolderOptions& options, shadowstack::MemorySource& memory);

  void keep_in(KeptTree& kept) noexcept override { tree_.keep_in(kept); }

  void fold(std::span<shadowstack::Packet* const> packets) noexcept override {
    for (shadowstack::Packet* packet : packets) fold(packet);
  }
  bool full() const noexcept override { return full_; }
  void merge_into(Cct& master) noexcept override;

 private:
  void fold(shadowstack::Packet* packet) noexcept;
  void add(const shadowstack::Packet& packet) noexcept;

  struct Frame {
    std::uint32_t node;  // kNone: not made
    ContextKey key;      // kUnknown: unknown frame; its callees hang under the frame below
  };
  static constexpr ContextKey kUnknown = 0;
  // Duplicates per context tolerated before a collection.
  static constexpr std::uint32_t kSlack = 4;
  static constexpr std::uint32_t kMostNodes = 1u << 27;

  Frame frame_for(const Frame& above, ContextKey key) const noexcept;
  std::uint32_t node_of(Frame* frame) noexcept;
  void collect() noexcept;

  const ContextKey key_mask_;
  const std::uint64_t event_every_;
  const std::uint32_t limit_;
  Uptree tree_;
  ThreadPaths<Frame> paths_;
  bool full_ = false;
  std::uint64_t collect_at_;
  std::vector<std::uint32_t*> roots_;
};

}  // namespace copse::cct
