// Folds what a killed process left in packets, as its engine would have.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "cct/cct.h"
#include "cct/engine.h"
#include "cct/tree_folder.h"
#include "cct/uptree_folder.h"
#include "recover/shared_memory.h"
#include "shadowstack/packet.h"

namespace copse {

class RecoveredPackets {
 public:
  // Throws std::bad_alloc, as all below.
  explicit RecoveredPackets(const EngineOptions& options);

  // How many of the packet's records make so many events.
  std::uint64_t records_of_events(const Packet& packet, std::uint64_t events) const noexcept;

  // Adds the records of a packet of the dead process from `from` on; `records` are all of them. An
  // error when they are none, or the chain is damaged.
  Status add(const SharedMemoryFile& memory, const Packet& packet,
             std::span<const CallRecord> records, std::uint32_t from);

  // Adds what a thread had appended since its last packet; `top` is of its chain. `first_key`
  // becomes that of the first call without a caller, if it was 0.
  Status add_tail(const SharedMemoryFile& memory, const Packet& rest, const FrameBlock* top,
                  ContextKey& first_key);

  // All that was added goes to `tree`.
  void finish(Cct& tree) noexcept;

 private:
  Status fold(std::span<const CallRecord> records, const FrameChain& start, const Packet& like,
              std::uint64_t first_call);

  const std::uint64_t event_every_;
  const bool is_uptree_;
  Cct tree_;
  TreeFolder folder_;
  UptreeFolder uptree_;
  std::uint64_t sequence_ = 0;
};

// Where the records of a packet of a dead process were.
std::uint64_t records_address(const Packet& packet) noexcept;
// The chain of a dead process, made anew. Nothing when it is damaged.
Result<FrameChain> recovered_chain(const SharedMemoryFile& memory, const FrameBlock* top);

}  // namespace copse
