// Values inside a block: little-endian fixed ones, LEB128 numbers (7 bits a byte, low ones first),
// signed numbers zigzag-coded (0, -1, 1, -2 ... as 0, 1, 2, 3 ...), and texts that give the length
// of the prefix shared with an earlier text.
//
// Failure is sticky, as in base/byte_reader.h: a read past the end gives 0. Check ok() after a
// group of reads. Loops whose count comes from the bytes must stop on !ok().
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::wire {

// Longest shared prefix. Without a bound a few bytes could ask for a lot of memory.
inline constexpr std::size_t kMostShared = 127;

class PayloadWriter {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(value); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  void signed_number(std::int64_t value) {
    number(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void real(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) byte(static_cast<std::uint8_t>(bits >> shift));
  }
  void text(std::string_view value) {
    number(value.size());
    append(value.data(), value.size());
  }
  // Writes `value` without the prefix that it shares with `previous`.
  void text_after(std::string_view previous, std::string_view value) {
    const std::size_t most = std::min({previous.size(), value.size(), kMostShared});
    std::size_t shared = 0;
    while (shared < most && previous[shared] == value[shared]) ++shared;
    number(shared);
    text(value.substr(shared));
  }
  void append(const void* data, std::size_t size) {
    const auto* const first = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  void clear() { bytes_.clear(); }
  std::size_t size() const { return bytes_.size(); }
  std::span<const std::uint8_t> view() const { return bytes_; }
  const std::vector<std::uint8_t>& bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

class PayloadReader {
 public:
  explicit PayloadReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t byte() {
    const std::uint8_t* const at = take(1);
    return at == nullptr ? std::uint8_t{0} : *at;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
      if (next < 0x80) {
        if (shift == 63 && next > 1) break;
        return value;
      }
    }
    fail();
    return 0;
  }
  // Reads a number; fails if it is above `most`.
  std::uint64_t number_up_to(std::uint64_t most) {
    const std::uint64_t value = number();
    if (value <= most) return value;
    fail();
    return 0;
  }
  std::int64_t signed_number() {
    const std::uint64_t coded = number();
    return static_cast<std::int64_t>(coded >> 1 ^ (0 - (coded & 1)));
  }
  double real() {
    const std::uint8_t* const at = take(8);
    std::uint64_t bits = 0;
    for (int i = 0; at != nullptr && i < 8; ++i) bits |= std::uint64_t{at[i]} << (8 * i);
    return std::bit_cast<double>(bits);
  }
  std::string text() {
    const std::size_t size = number_up_to(remaining());
    const std::uint8_t* const at = take(size);
    return at == nullptr ? std::string() : std::string(at, at + size);
  }
  std::string text_after(std::string_view previous) {
    const std::size_t shared = number_up_to(std::min(previous.size(), kMostShared));
    std::string value(previous.substr(0, shared));
    value += text();
    return value;
  }
  std::span<const std::uint8_t> bytes(std::size_t count) {
    const std::uint8_t* const at = take(count);
    return at == nullptr ? std::span<const std::uint8_t>() : std::span(at, count);
  }

  void fail() {
    ok_ = false;
    at_ = bytes_.size();
  }
  bool ok() const { return ok_; }
  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t remaining() const { return bytes_.size() - at_; }

 private:
  const std::uint8_t* take(std::size_t count) {
    if (!ok_ || count > remaining()) {
      fail();
      return nullptr;
    }
    const std::uint8_t* const at = bytes_.data() + at_;
    at_ += count;
    return at;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace copse::wire
