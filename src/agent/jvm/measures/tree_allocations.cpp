#include "agent/jvm/measures/tree_allocations.h"

#include <utility>

#include "agent/jvm/measures/allocation_places.h"

namespace copse::jvm {
namespace {

constexpr std::uint64_t kLongestWaitMs = 100;

// Numbers mean the same in all recordings: frames of an earlier one may still count in this one.
AllocatedTypes& types_of(JvmState& jvm) {
  if (jvm.allocated_types == nullptr) {
    jvm.allocated_types = std::make_unique<AllocatedTypes>(jvm.methods);
  }
  return *jvm.allocated_types;
}

}  // namespace

TreeAllocations::TreeAllocations(JvmState& jvm, std::uint64_t packet_bytes, Add add)
    : types_(types_of(jvm)),
      packet_bytes_(packet_bytes),
      counts_([packet_bytes, add = std::move(add)](shadowstack::ThreadHeader& header,
                                                   const ids::CountedAllocations& counted) {
        const std::uint64_t key = counted.word;
        add(header,
            {packet_bytes == 0 ? place_in_tree(key) : place_in_packet(header, key, packet_bytes),
             type_in_key(key), counted.count, counted.bytes});
      }) {}

shadowstack::ThreadRecorder& TreeAllocations::before(shadowstack::ThreadRecorder& threads) {
  threads_ = std::make_unique<events::EventThreads>(threads, nullptr);
  threads_->at_end([this](events::EventThread& thread) { counts_.end(thread); });
  return *threads_;
}

Status TreeAllocations::start_counting(JNIEnv*) {
  return collecting_.start("copse-allocs", kLongestWaitMs, [this] { count_waiting(); });
}

void TreeAllocations::count_waiting_of(const shadowstack::ThreadHeader& header) noexcept {
  if (events::EventThread* thread = events::event_thread_of(&header); thread != nullptr) {
    counts_.collect(*thread);
  }
}

void TreeAllocations::count_waiting() noexcept {
  threads_->for_each_live([this](events::EventThread& thread) { counts_.collect(thread); });
}

void TreeAllocations::stop() noexcept {
  collecting_.stop();
  count_waiting();
}

}  // namespace copse::jvm
