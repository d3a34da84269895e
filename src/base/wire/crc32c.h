// CRC-32C (Castagnoli), the checksum of blocks. Uses the processor's own instruction if it has one
// (about 0.15 ns a byte), else tables (0.6 ns a byte).
#pragma once

#include <cstdint>
#include <span>

namespace copse::wire {

// Returns the checksum of `bytes` appended to data with the checksum `before`; 0 means no data
// before.
std::uint32_t crc32c(std::span<const std::uint8_t> bytes, std::uint32_t before = 0) noexcept;

// Does the same by tables, on every machine.
std::uint32_t crc32c_by_tables(std::span<const std::uint8_t> bytes,
                               std::uint32_t before = 0) noexcept;

}  // namespace copse::wire
