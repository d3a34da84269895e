// A stable id: 128 bits that stand for a calling context in every run (docs/report-schema.md).
// src/compare/identity computes them from a report.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

namespace copse {

struct StableId {
  static constexpr std::size_t kBytes = 16;
  static constexpr std::size_t kDigits = 2 * kBytes;

  std::array<std::uint8_t, kBytes> bytes{};

  friend constexpr auto operator<=>(const StableId&, const StableId&) = default;
};

// Returns 32 hexadecimal digits, lower case, the first byte first.
inline std::string hex(const StableId& id) {
  constexpr const char* kDigit = "0123456789abcdef";
  std::string text;
  text.reserve(StableId::kDigits);
  for (const std::uint8_t byte : id.bytes) {
    text.push_back(kDigit[byte >> 4]);
    text.push_back(kDigit[byte & 15]);
  }
  return text;
}

}  // namespace copse
