// For memory that is read when the process that wrote it has been killed.
#pragma once

#include <atomic>

namespace copse::shadowstack {

// Nothing above this line may be done after what is below it. The reader runs when the writer is
// dead, so only the compiler could put things out of order: x86 and the kernel keep stores of one
// thread in theirs, others see them all once the thread is gone.
inline void in_this_order() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

}  // namespace copse::shadowstack
