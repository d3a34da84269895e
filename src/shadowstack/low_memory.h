// Address space that constants of 32 bits lead to. Compiled code reaches what lies at a small constant plus a number
// in one instruction, and needs two more, and a register, for a constant of 64 bits.
#pragma once

#include <cstdint>

namespace copse::shadowstack {

// Returns an address below 2^31 at which a page of zeros stays mapped until the process ends, and from which the
// constants of compiled code may count up to 256 KiB more; 0 if something else is there. Thread-safe.
std::uint64_t low_page() noexcept;

struct AddressRange {
  std::uint64_t start = 0;
  std::uint64_t bytes = 0;  // 0: none
};

// Reserves the largest stretch of whole huge pages that is free between 2^31 and `end`, at most `most_bytes` of it.
// Returns none if it has less than `least_bytes`, or if the process's address space is limited. The caller unmaps
// it, or maps something else there. Thread-safe.
AddressRange reserve_low(std::uint64_t end, std::uint64_t least_bytes,
                         std::uint64_t most_bytes) noexcept;

}  // namespace copse::shadowstack
