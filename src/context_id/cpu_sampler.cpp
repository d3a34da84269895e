#include "context_id/cpu_sampler.h"

#include <atomic>

namespace copse::context_id {

std::uint64_t CpuSampler::used_since_last_look(events::EventThread& thread) noexcept {
  if (!thread.clock) return 0;
  const std::uint64_t now = events::processor_time_ns(*thread.clock);
  if (now <= thread.cpu_ns) return 0;  // or the thread is gone already
  const std::uint64_t used = now - thread.cpu_ns;
  thread.cpu_ns = now;
  return used;
}

void CpuSampler::sample() noexcept {
  threads_.for_each_live([this](events::EventThread& thread) {
    const std::uint64_t used = used_since_last_look(thread);
    if (used == 0) return;
    // Relaxed: any word the thread had around now will do.
    const std::uint64_t word =
        std::atomic_ref<std::uint64_t>(thread.header->word).load(std::memory_order_relaxed);
    ids_.add_event(events::EventKind::kCpu, word, {used}, &thread);
  });
}

void CpuSampler::end_of(events::EventThread& thread) noexcept {
  const std::uint64_t used = used_since_last_look(thread);
  if (used == 0) return;
  ids_.add_event_outside(events::EventKind::kCpu, events::Outside::kEndedBeforeNextLook, {used, 0},
                         &thread);
}

}  // namespace copse::context_id
