// Call records in packets, and the engine that folds them into a tree. Shared by recordings with both.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "agent/jvm/run.h"
#include "agent/jvm/run_report.h"
#include "cct/packets/engine.h"
#include "shadowstack/memory_source.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/recorder.h"

namespace copse::jvm {

class FoldedPackets {
 public:
  explicit FoldedPackets(const Run& run) : run_(run) {}

  // `memory`: source of memory for packets and trees. `make_folder`: EngineOptions::make_folder. Throws
  // std::bad_alloc.
  void start(shadowstack::MemorySource& memory,
             std::function<std::unique_ptr<cct::Folder>()> make_folder = nullptr);
  // REQUIRES for the next four functions: start() was called.
  shadowstack::Recorder& recorder() noexcept { return *recorder_; }
  cct::Engine& engine() noexcept { return *engine_; }
  std::uint64_t packet_bytes() const noexcept { return pool_->packet_bytes(); }
  Result<cct::RecordingSnapshot> snapshot();

  // Returns the whole recording for a report, once the recorder is closed.
  RunToReport finish();

 private:
  const Run& run_;
  std::unique_ptr<shadowstack::PacketPool> pool_;
  std::unique_ptr<cct::Engine> engine_;
  std::unique_ptr<shadowstack::Recorder> recorder_;
};

}  // namespace copse::jvm
