#include "trace/line_reader.h"

#include <cstring>
#include <string>

namespace copse::trace {

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
