// Bounds-checked big-endian reads, as in class files.
//
// Failure is sticky: a read past the end returns 0 (or an empty span), and so does every later one.
// Check ok() once after a group of reads. Loops whose count comes from the input must still stop on
// !ok(), or a hostile count costs time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse {

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) noexcept : bytes_(bytes) {}

  std::uint8_t u1() noexcept {
    const std::uint8_t* at = take(1);
    return at == nullptr ? std::uint8_t{0} : *at;
  }
  std::uint16_t u2() noexcept {
    const std::uint8_t* at = take(2);
    return at == nullptr ? std::uint16_t{0} : static_cast<std::uint16_t>(at[0] << 8 | at[1]);
  }
  std::uint32_t u4() noexcept {
    const std::uint32_t high = u2();
    return high << 16 | u2();
  }
  std::span<const std::uint8_t> bytes(std::size_t count) noexcept {
    const std::uint8_t* at = take(count);
    return at == nullptr ? std::span<const std::uint8_t>{} : std::span{at, count};
  }
  void skip(std::size_t count) noexcept { take(count); }
  void fail() noexcept {
    ok_ = false;
    position_ = bytes_.size();
  }

  bool ok() const noexcept { return ok_; }
  bool at_end() const noexcept { return position_ == bytes_.size(); }
  std::size_t position() const noexcept { return position_; }
  std::size_t remaining() const noexcept { return bytes_.size() - position_; }

 private:
  const std::uint8_t* take(std::size_t count) noexcept {
    if (count > remaining()) {
      fail();
      return nullptr;
    }
    const std::uint8_t* at = bytes_.data() + position_;
    position_ += count;
    return ok_ ? at : nullptr;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace copse
