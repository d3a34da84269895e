// ClickHouse's format RowBinary: rows without separators, numbers in little-endian order, texts
// preceded by their length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/stable_id.h"
#include "base/status.h"

namespace copse::fleet {

class RowBinaryWriter {
 public:
  void number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_ += static_cast<char>(value >> 8 * i & 0xFF);
  }
  void text(std::string_view value) {
    std::uint64_t rest = value.size();
    for (; rest >= 0x80; rest >>= 7) bytes_ += static_cast<char>(rest | 0x80);
    bytes_ += static_cast<char>(rest);
    bytes_ += value;
  }
  void id(const StableId& value) {
    bytes_.append(reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size());
  }
  const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

// Reads a server's answer. After the first missing value, all further ones are empty and is_whole()
// is false.
class RowBinaryReader {
 public:
  explicit RowBinaryReader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const noexcept { return rest_.empty(); }
  bool is_whole() const noexcept { return is_whole_; }

  std::uint64_t number(int bytes) {
    const std::string_view taken = take(static_cast<std::size_t>(bytes));
    std::uint64_t value = 0;
    for (std::size_t i = taken.size(); i-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(taken[i]);
    }
    return value;
  }
  std::string_view text() {
    std::uint64_t length = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t byte = number(1);
      length |= (byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) return take(length);
    }
    return fail();
  }
  StableId id() {
    StableId value;
    const std::string_view taken = take(StableId::kBytes);
    for (std::size_t i = 0; i < taken.size(); ++i) {
      value.bytes[i] = static_cast<std::uint8_t>(taken[i]);
    }
    return value;
  }

 private:
  std::string_view take(std::uint64_t bytes) {
    if (bytes > rest_.size()) return fail();
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }
  std::string_view fail() {
    is_whole_ = false;
    rest_ = {};
    return {};
  }

  std::string_view rest_;
  bool is_whole_ = true;
};

}  // namespace copse::fleet
