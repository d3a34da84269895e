// Source of memory for packets and tree arenas: address space first, pages as needed. It is an
// interface, so that a run can be kept in shared memory that outlives a killed program.
#pragma once

#include <cstddef>
#include <cstdint>

namespace copse::shadowstack {

class MemorySource {
 public:
  virtual ~MemorySource() = default;

  // Reserves `bytes` bytes of address space, not yet usable, at a multiple of `alignment` (a power
  // of two). Rounds both up to whole pages. Returns nullptr when there is none, or too little is left
  // for the program (leaves_address_space). Thread-safe.
  virtual void* reserve(std::size_t bytes, std::size_t alignment) noexcept = 0;

  // Does the same at an address inside a reservation, of any source, whose owner gives that part
  // up.
  virtual bool reserve_at(void* start, std::size_t bytes) noexcept = 0;

  // Makes part of a reservation readable and writable, zero where it was never written. Returns
  // false when the system has no memory to promise.
  virtual bool commit(void* start, std::size_t bytes) noexcept = 0;

  // Gives back committed memory, which starts at a page. It stays readable and writable and is zero
  // from now on; threads may use it meanwhile.
  virtual void forget(void* start, std::size_t bytes) noexcept = 0;

  // Gives back a whole reservation.
  virtual void release(void* start, std::size_t bytes) noexcept = 0;

  // Forgets a whole reservation, in whose place its owner has mapped something else.
  virtual void disown(void* start) noexcept = 0;
};

// Returns false for a request beyond a sixteenth of what the process's limit (ulimit -v) leaves free now: the program needs
// address space for its own stacks, code and heap. Requests are then made again for less. Small ones are always allowed.
// Thread-safe.
bool leaves_address_space(std::size_t bytes) noexcept;

// Returns the source of private anonymous pages, in huge pages where the system grants them. Lives
// as long as the process.
MemorySource& anonymous_memory() noexcept;

}  // namespace copse::shadowstack
