#include "encoders/replay/token.h"

#include <charconv>

namespace copse::encoders {

void Token::put(std::uint64_t value, int byte_count) {
  for (int i = 0; i < byte_count; ++i) {
    bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

std::string Token::hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes_.size());
  for (const std::uint8_t byte : bytes_) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Result<Token> Token::from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return Status::error(Fault::kMalformed, "an odd number of hex digits");
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    std::uint8_t byte = 0;
    const char* end = text.data() + i + 2;
    const auto [stop, error] = std::from_chars(text.data() + i, end, byte, 16);
    if (error != std::errc() || stop != end)
      return Status::error(Fault::kMalformed, "not a hex number");
    bytes.push_back(byte);
  }
  return Token(std::move(bytes));
}

std::uint64_t TokenReader::take(int byte_count) noexcept {
  if (bytes_.size() - position_ < static_cast<std::size_t>(byte_count)) {
    failed_ = true;
    position_ = bytes_.size();
    return 0;
  }
  std::uint64_t value = 0;
  for (int i = 0; i < byte_count; ++i) {
    value |= std::uint64_t{bytes_[position_++]} << (8 * i);
  }
  return value;
}

}  // namespace copse::encoders
