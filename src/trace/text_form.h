// The words of a text trace (docs/binary-formats.md), shared by its reader and its writer.
//
// A text is one word: bytes up to the space, '%', '#', and 0x7f are written %XX. The empty text is
// "-", and the text "-" is "%2d".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/wire/byte_source.h"

namespace copse::trace {

inline constexpr std::string_view kTextHeader = "copse trace text 1";

std::string text_word(std::string_view text);
// Returns std::nullopt for a '%' without two hexadecimal digits behind it.
std::optional<std::string> text_of_word(std::string_view word);

// Reads lines of a byte source with their places. The length of a line is bounded, so that a file
// without line ends cannot cost memory.
class LineReader {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  explicit LineReader(wire::ByteSource& bytes) : bytes_(bytes) {}

  // Returns the next line without its end, valid until the next call; std::nullopt at the end.
  Result<std::optional<std::string_view>> next();
  Status rewind();

  // Position of the line returned last: offset of its first byte, and its number from 1.
  std::uint64_t offset() const { return line_offset_; }
  std::uint64_t number() const { return number_; }

 private:
  wire::ByteSource& bytes_;
  std::vector<std::uint8_t> buffer_;
  std::size_t begin_ = 0;  // start of the bytes not returned yet
  bool at_end_ = false;
  std::uint64_t line_offset_ = 0;
  std::uint64_t next_offset_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace copse::trace
