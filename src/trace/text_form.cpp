#include "trace/text_form.h"

#include <charconv>
#include <cstring>
#include <string>

namespace copse::trace {

std::string text_word(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (text.empty()) return "-";
  if (text == "-") return "%2d";
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte != 0x7f && c != '%' && c != '#') {
      word += c;
    } else {
      word += '%';
      word += kDigits[byte >> 4];
      word += kDigits[byte & 15];
    }
  }
  return word;
}

std::optional<std::string> text_of_word(std::string_view word) {
  std::string text;
  if (word == "-") return text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') {
      text += word[i];
      continue;
    }
    unsigned byte = 0;
    const char* const digits = word.data() + i + 1;
    if (word.size() - i < 3) return std::nullopt;
    if (const auto [end, error] = std::from_chars(digits, digits + 2, byte, 16);
        error != std::errc{} || end != digits + 2) {
      return std::nullopt;
    }
    text += static_cast<char>(byte);
    i += 2;
  }
  return text;
}

Result<std::optional<std::string_view>> LineReader::next() {
  constexpr std::size_t kStep = std::size_t{1} << 16;
  line_offset_ = next_offset_;
  ++number_;
  std::size_t searched = 0;
  for (;;) {
    const std::uint8_t* const start = buffer_.data() + begin_;
    const std::size_t left = buffer_.size() - begin_;
    const auto* const found = left == searched ? nullptr
                                               : static_cast<const std::uint8_t*>(std::memchr(
                                                     start + searched, '\n', left - searched));
    if (found != nullptr || at_end_) {
      const std::size_t length = found != nullptr ? static_cast<std::size_t>(found - start) : left;
      if (found == nullptr && length == 0) return std::optional<std::string_view>();
      const std::size_t used = length + (found != nullptr ? 1 : 0);
      begin_ += used;
      next_offset_ += used;
      return std::optional(std::string_view(reinterpret_cast<const char*>(start), length));
    }
    if (left > kLongest) {
      return Status::error(Fault::kMalformed,
                           bytes_.name() + ": at byte " + std::to_string(line_offset_) +
                               ": a line of more than " + std::to_string(kLongest) +
                               " bytes: not a text trace");
    }
    searched = left;
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
    buffer_.resize(left + kStep);
    const Result<std::size_t> got = bytes_.read({buffer_.data() + left, kStep});
    buffer_.resize(left + (got.ok() ? *got : 0));
    if (!got.ok()) return got.status();
    at_end_ = *got < kStep;
  }
}

Status LineReader::rewind() {
  if (Status status = bytes_.rewind(); !status) return status;
  buffer_.clear();
  begin_ = 0;
  at_end_ = false;
  line_offset_ = next_offset_ = number_ = 0;
  return {};
}

}  // namespace copse::trace
