// For the two files that wrap packages ThreadSanitizer cannot see through (the queue's fences,
// oneTBB's library): they are built without it and tell it what the package promises. Nothing in
// every other build.
#pragma once

#ifdef COPSE_TELL_TSAN
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace copse::shadowstack {

// All that this thread has done happens before ...
inline void tell_released([[maybe_unused]] const void* address) noexcept {
#ifdef COPSE_TELL_TSAN
  __tsan_release(const_cast<void*>(address));
#endif
}

// ... all that a thread does after this, for the same address.
inline void tell_acquired([[maybe_unused]] const void* address) noexcept {
#ifdef COPSE_TELL_TSAN
  __tsan_acquire(const_cast<void*>(address));
#endif
}

}  // namespace copse::shadowstack
