// The CRC-32 of zlib, PNG and gzip (reflected 0xEDB88320): what guards a graph file's sections.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace copse::encoders {

constexpr std::array<std::uint32_t, 256> make_crc32_table() noexcept {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0u);
    table[i] = value;
  }
  return table;
}

constexpr std::uint32_t crc32(std::span<const std::uint8_t> bytes) noexcept {
  constexpr auto kTable = make_crc32_table();
  std::uint32_t value = ~0u;
  for (const std::uint8_t byte : bytes) value = kTable[(value ^ byte) & 0xFF] ^ value >> 8;
  return ~value;
}

}  // namespace copse::encoders
