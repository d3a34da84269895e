// Order of stores to memory that is read after its process was killed.
#pragma once

#include <atomic>

namespace copse::shadowstack {

// Keeps stores before the call before stores after it. The reader runs after the writer's death, so
// only the compiler could reorder them: x86 and the kernel keep the stores of one thread in order,
// and others see all of them once the thread is gone.
inline void in_this_order() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

}  // namespace copse::shadowstack
