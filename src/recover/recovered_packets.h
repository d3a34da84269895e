// Folds what a killed process left in packets, as its engine would have.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/status.h"
#include "cct/cct.h"
#include "cct/packets/engine.h"
#include "cct/packets/tree_folder.h"
#include "cct/uptree/uptree_folder.h"
#include "recover/shared_memory.h"
#include "shadowstack/packets/packet.h"

namespace copse::recover {

class RecoveredPackets {
 public:
  // Throws std::bad_alloc, as all below.
  explicit RecoveredPackets(const cct::EngineOptions& options);

  // How many of the packet's records make so many events.
  std::uint64_t records_of_events(const shadowstack::Packet& packet,
                                  std::uint64_t events) const noexcept;

  // Adds the records of a packet of the dead process from `from` on; `records` are all of them. An
  // error when they are none, or the chain is damaged.
  Status add(const SharedMemoryFile& memory, const shadowstack::Packet& packet,
             std::span<const CallRecord> records, std::uint32_t from);

  // Adds what a thread had appended since its last packet; `top` is of its chain. `first_key`
  // becomes that of the first call without a caller, if it was 0.
  Status add_tail(const SharedMemoryFile& memory, const shadowstack::Packet& rest,
                  const shadowstack::FrameBlock* top, ContextKey& first_key);

  // All that was added goes to `tree`.
  void finish(cct::Cct& tree) noexcept;

 private:
  Status fold(std::span<const CallRecord> records, const shadowstack::FrameChain& start,
              const shadowstack::Packet& like, std::uint64_t first_call);

  const std::uint64_t event_every_;
  const bool is_uptree_;
  cct::Cct tree_;
  const std::shared_ptr<const cct::MergedMethods> merged_;
  cct::TreeFolder folder_;
  cct::UptreeFolder uptree_;
  std::uint64_t sequence_ = 0;
};

// Where the records of a packet of a dead process were.
std::uint64_t records_address(const shadowstack::Packet& packet) noexcept;
// The chain of a dead process, made anew. Nothing when it is damaged.
Result<shadowstack::FrameChain> recovered_chain(const SharedMemoryFile& memory,
                                                const shadowstack::FrameBlock* top);

}  // namespace copse::recover
