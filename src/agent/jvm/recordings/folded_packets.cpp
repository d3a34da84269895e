#include "agent/jvm/recordings/folded_packets.h"

#include <utility>

#include "agent/engine_options.h"

namespace copse::jvm {

void FoldedPackets::start(shadowstack::MemorySource& memory,
                          std::function<std::unique_ptr<cct::Folder>()> make_folder) {
  pool_ = std::make_unique<shadowstack::PacketPool>(shadowstack::PacketPoolOptions{
      .slots = agent::part<agent::PacketOptions>(run_.options)->packet_slots, .memory = &memory});
  cct::EngineOptions options = agent::engine_options(run_.options);
  options.make_folder = std::move(make_folder);
  engine_ = cct::Engine::make(options, *pool_);
  recorder_ = std::make_unique<shadowstack::Recorder>(*pool_, *engine_);
}

Result<cct::RecordingSnapshot> FoldedPackets::snapshot() {
  recorder_->flush();
  Result<cct::RecordingSnapshot> taken = engine_->snapshot();
  if (!taken.ok()) return taken;
  const std::uint64_t lost = recorder_->calls_lost();
  taken->calls_seen += lost;
  taken->calls_lost += lost;
  taken->packets = recorder_->packets();
  taken->workers = engine_->stats().workers;
  taken->threads = recorder_->threads();
  return taken;
}

RunToReport FoldedPackets::finish() {
  const cct::ContextTree& tree = engine_->finish();
  const cct::EngineStats stats = engine_->stats();
  return {.run = run_,
          .tree = tree,
          .threads = recorder_->threads(),
          .calls_seen = recorder_->calls_seen(),
          .calls_lost = recorder_->calls_lost() + stats.calls_lost,
          .calls_without_room = stats.calls_lost,
          .packets = recorder_->packets(),
          .workers = stats.workers,
          .path = run_.output_path};
}

}  // namespace copse::jvm
