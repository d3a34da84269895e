#include "base/wire/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace copse::wire {
namespace {

constexpr std::uint32_t kReversedPolynomial = 0x82f63b78;

// tables[k][b]: what byte b leaves behind when k zero bytes follow it.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? kReversedPolynomial : 0);
    tables[0][byte] = rest;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t shorter = tables[k - 1][byte];
      tables[k][byte] = shorter >> 8 ^ tables[0][shorter & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::span<const std::uint8_t> bytes,
                                                               std::uint32_t before) noexcept {
  std::uint64_t rest = ~before;
  const std::uint8_t* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    rest = _mm_crc32_u64(rest, word);
  }
  auto narrow = static_cast<std::uint32_t>(rest);
  for (; left != 0; ++at, --left) narrow = _mm_crc32_u8(narrow, *at);
  return ~narrow;
}
#endif

}  // namespace

std::uint32_t crc32c_by_tables(std::span<const std::uint8_t> bytes, std::uint32_t before) noexcept {
  std::uint32_t rest = ~before;
  const std::uint8_t* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    rest = kTables[7][(rest ^ at[0]) & 0xff] ^ kTables[6][(rest >> 8 ^ at[1]) & 0xff] ^
           kTables[5][(rest >> 16 ^ at[2]) & 0xff] ^ kTables[4][rest >> 24 ^ at[3]] ^
           kTables[3][at[4]] ^ kTables[2][at[5]] ^ kTables[1][at[6]] ^ kTables[0][at[7]];
  }
  for (; left != 0; ++at, --left) rest = rest >> 8 ^ kTables[0][(rest ^ *at) & 0xff];
  return ~rest;
}

std::uint32_t crc32c(std::span<const std::uint8_t> bytes, std::uint32_t before) noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return by_instruction(bytes, before);
#endif
  return crc32c_by_tables(bytes, before);
}

}  // namespace copse::wire
