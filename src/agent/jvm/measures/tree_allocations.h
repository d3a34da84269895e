// Every allocation of a run that builds a tree. Probes count allocations by frame and type
// (allocation_places.h), in tables of their threads (encoders/ids/allocation_counts.h).
//
// Wraps the recorder of the threads; each thread has an EventThread for its table.
//
// Threads: one of its own empties the tables, so that counts outlive a killed process. Each thread empties its
// own table before the data that resolves its frames is freed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "agent/jvm/jvm_state.h"
#include "agent/jvm/measures/allocated_types.h"
#include "agent/jvm/measures/measure.h"
#include "agent/jvm/periodic_thread.h"
#include "base/status.h"
#include "encoders/events/event_threads.h"
#include "encoders/ids/allocation_counts.h"
#include "probes/allocation_host.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::jvm {

// Numbers of the types that one loader's classes allocate.
class LoadersTypes final : public classfile::AllocationHost {
 public:
  LoadersTypes(AllocatedTypes& types, std::uint64_t loader) : types_(types), loader_(loader) {}

  std::int32_t type(std::string_view class_name) override {
    return types_.number_of(loader_, class_name);
  }

 private:
  AllocatedTypes& types_;
  const std::uint64_t loader_;
};

class TreeAllocations final : public Measure {
 public:
  // Allocations of a thread in one frame. `type`: number of the type.
  struct InFrame {
    shadowstack::ThreadPlace place;
    std::int32_t type;
    std::uint64_t count;
    std::uint64_t bytes;
  };
  using Add = std::function<void(const shadowstack::ThreadHeader&, const InFrame&)>;

  // Called before any class is rewritten. `add`: called on any thread, under locks of the header's thread.
  // `packet_bytes`: size of a packet; 0: threads build their trees in place.
  TreeAllocations(JvmState& jvm, std::uint64_t packet_bytes, Add add);

  AllocatedTypes& types() noexcept { return types_; }
  std::uint64_t packet_bytes() const noexcept { return packet_bytes_; }
  ids::AllocationCounts& counts() noexcept { return counts_; }
  // Returns a recorder that wraps `threads`, the recorder of the trees. Called once. Throws std::bad_alloc.
  shadowstack::ThreadRecorder& before(shadowstack::ThreadRecorder& threads);

  Status start_counting(JNIEnv* jni) override;
  // Adds the counts in all tables, or in the thread's.
  void count_waiting() noexcept override;
  void count_waiting_of(const shadowstack::ThreadHeader& header) noexcept override;
  void stop() noexcept override;

 private:
  AllocatedTypes& types_;
  const std::uint64_t packet_bytes_;
  ids::AllocationCounts counts_;
  std::unique_ptr<events::EventThreads> threads_;  // set by before()
  PeriodicThread collecting_;
};

}  // namespace copse::jvm
