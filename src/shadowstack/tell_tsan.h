// Annotations for the two files that wrap packages ThreadSanitizer cannot see through (the queue's
// fences, oneTBB's library). These files are built without ThreadSanitizer and tell it what the
// package promises. Other builds do nothing here.
#pragma once

#ifdef COPSE_TELL_TSAN
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace copse::shadowstack {

// Tells ThreadSanitizer that all actions of this thread so far happen before tell_acquired()
// returns for the same address.
inline void tell_released([[maybe_unused]] const void* address) noexcept {
#ifdef COPSE_TELL_TSAN
  __tsan_release(const_cast<void*>(address));
#endif
}

// Counterpart of tell_released().
inline void tell_acquired([[maybe_unused]] const void* address) noexcept {
#ifdef COPSE_TELL_TSAN
  __tsan_acquire(const_cast<void*>(address));
#endif
}

}  // namespace copse::shadowstack
