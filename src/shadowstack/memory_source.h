// Where packets and tree arenas get their memory: address space first, pages as they are needed.
// One interface, so that a run can be kept in shared memory that outlives a killed program.
#pragma once

#include <cstddef>
#include <cstdint>

namespace copse::shadowstack {

class MemorySource {
 public:
  virtual ~MemorySource() = default;

  // Address space of `bytes` bytes at a multiple of `alignment` (a power of two), not yet usable.
  // Both are rounded up to whole pages. Null when there is none, or when it is more than an eighth of
  // what the process may have (ulimit -v): the rest is for others. Any thread.
  virtual void* reserve(std::size_t bytes, std::size_t alignment) noexcept = 0;

  // The same at an address: what lies there is of a reservation, of any source, whose owner gives it up.
  virtual bool reserve_at(void* start, std::size_t bytes) noexcept = 0;

  // Makes part of a reservation readable and writable, zero where it was never written.
  // False when the system has no memory to promise.
  virtual bool commit(void* start, std::size_t bytes) noexcept = 0;

  // Gives back the memory of what was committed, from the start of a page on. It stays readable and
  // writable, and is zero from now on; threads may use it meanwhile.
  virtual void forget(void* start, std::size_t bytes) noexcept = 0;

  // Gives back a whole reservation.
  virtual void release(void* start, std::size_t bytes) noexcept = 0;
};

// Private anonymous pages, in huge pages where the system grants them. Lives as long as the
// process.
MemorySource& anonymous_memory() noexcept;

}  // namespace copse::shadowstack
