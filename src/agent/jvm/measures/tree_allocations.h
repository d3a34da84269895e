// Every allocation of a run that builds a tree: counted by the probes, in tables of their threads
// (encoders/ids/allocation_counts.h), by frame and type (allocation_places.h).
//
// Stands before the recorder of the threads, which have an EventThread each for their tables.
//
// Threads: one of its own empties the tables, so that what was counted outlives a killed process;
// and each thread its own, before what tells its frames goes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "agent/jvm/jvm_state.h"
#include "agent/jvm/measures/allocated_types.h"
#include "agent/jvm/periodic_thread.h"
#include "base/status.h"
#include "encoders/events/event_threads.h"
#include "encoders/ids/allocation_counts.h"
#include "probes/allocation_host.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::jvm {

// Numbers of what one loader's classes allocate.
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

class TreeAllocations {
 public:
  // Of a thread, where it stood in the frame. `type`: its number.
  struct InFrame {
    shadowstack::ThreadPlace place;
    std::int32_t type;
    std::uint64_t count;
    std::uint64_t bytes;
  };
  using Add = std::function<void(const shadowstack::ThreadHeader&, const InFrame&)>;

  // Before any class is rewritten. `add`: any thread, under locks of the header's thread.
  // `packet_bytes`: of a packet; 0: threads build their trees in place.
  TreeAllocations(JvmState& jvm, std::uint64_t packet_bytes, Add add);

  AllocatedTypes& types() noexcept { return types_; }
  context_id::AllocationCounts& counts() noexcept { return counts_; }
  // Once. `threads`: those of the trees. Throws std::bad_alloc.
  shadowstack::ThreadRecorder& before(shadowstack::ThreadRecorder& threads);

  // Threads have headers.
  Status start();
  // What is in the thread's table, and in all, is added.
  void collect(const shadowstack::ThreadHeader& header) noexcept;
  void collect_all() noexcept;
  // The same, and tables are emptied no more by themselves.
  void stop() noexcept;

 private:
  AllocatedTypes& types_;
  context_id::AllocationCounts counts_;
  std::unique_ptr<events::EventThreads> threads_;  // since before()
  PeriodicThread collecting_;
};

}  // namespace copse::jvm
