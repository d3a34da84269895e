// A growing buffer of big-endian values: the counterpart of ByteReader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace copse {

class ByteWriter {
 public:
  void u1(std::uint32_t value) { bytes_.push_back(static_cast<std::uint8_t>(value)); }
  void u2(std::uint32_t value) {
    const std::size_t at = grow(2);
    patch_u2(at, value);
  }
  void u4(std::uint32_t value) {
    const std::size_t at = grow(4);
    patch_u4(at, value);
  }
  void bytes(std::span<const std::uint8_t> source) {
    bytes_.insert(bytes_.end(), source.begin(), source.end());
  }

  // Overwrites a value written before; `at` is an earlier size().
  void patch_u2(std::size_t at, std::uint32_t value) noexcept {
    bytes_[at] = static_cast<std::uint8_t>(value >> 8);
    bytes_[at + 1] = static_cast<std::uint8_t>(value);
  }
  void patch_u4(std::size_t at, std::uint32_t value) noexcept {
    patch_u2(at, value >> 16);
    patch_u2(at + 2, value);
  }

  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  void truncate(std::size_t size) { bytes_.resize(size); }
  void clear() noexcept { bytes_.clear(); }
  std::size_t size() const noexcept { return bytes_.size(); }
  std::span<const std::uint8_t> view() const noexcept { return bytes_; }
  std::vector<std::uint8_t> take() && noexcept { return std::move(bytes_); }

 private:
  std::size_t grow(std::size_t count) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + count);
    return at;
  }

  std::vector<std::uint8_t> bytes_;
};

}  // namespace copse
