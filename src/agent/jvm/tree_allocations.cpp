#include "agent/jvm/tree_allocations.h"

#include <utility>

#include "cct/inline_layout.h"

namespace copse::jvm {
namespace {

constexpr std::uint64_t kLongestWaitMs = 100;

// What CopseAllocations.keyOf() made of a frame and a type.
TreeAllocations::InFrame in_frame_of(const context_id::CountedAllocations& counted) {
  constexpr std::uint64_t kTypes = (std::uint64_t{1} << kAllocatedTypeBits) - 1;
  constexpr std::uint64_t kInUnit = cct::kInlineSlots % cct::kInlineUnit;  // of every frame
  return {(counted.word >> kAllocatedTypeBits) * cct::kInlineUnit + kInUnit,
          static_cast<std::int32_t>(counted.word & kTypes), counted.count, counted.bytes};
}

// Numbers mean the same in all recordings: frames of an earlier one may still count in this one.
AllocatedTypes& types_of(JvmState& jvm) {
  if (jvm.allocated_types == nullptr) {
    jvm.allocated_types = std::make_unique<AllocatedTypes>(jvm.methods);
  }
  return *jvm.allocated_types;
}

}  // namespace

TreeAllocations::TreeAllocations(JvmState& jvm, Add add)
    : types_(types_of(jvm)),
      counts_([add = std::move(add)](shadowstack::ThreadHeader& header,
                                     const context_id::CountedAllocations& counted) {
        add(header, in_frame_of(counted));
      }) {}

shadowstack::ThreadRecorder& TreeAllocations::before(shadowstack::ThreadRecorder& threads) {
  threads_ = std::make_unique<events::EventThreads>(threads, nullptr);
  threads_->at_end([this](events::EventThread& thread) { counts_.end(thread); });
  return *threads_;
}

Status TreeAllocations::start() {
  return collecting_.start("copse-allocs", kLongestWaitMs, [this] { collect_all(); });
}

void TreeAllocations::collect(const shadowstack::ThreadHeader& header) noexcept {
  if (events::EventThread* thread = events::event_thread_of(&header); thread != nullptr) {
    counts_.collect(*thread);
  }
}

void TreeAllocations::collect_all() noexcept {
  threads_->for_each_live([this](events::EventThread& thread) { counts_.collect(thread); });
}

void TreeAllocations::stop() noexcept {
  collecting_.stop();
  collect_all();
}

}  // namespace copse::jvm
