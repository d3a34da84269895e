// Input of the JSON reader as an iterator over bytes: a file read in blocks, or a text. Files are
// not mapped: a file that shrinks during the read gives an error and no signal.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

namespace copse::report {

// Bytes of a file or of a text, in blocks.
class Bytes {
 public:
  explicit Bytes(std::string_view text) : block_(text) {}
  Bytes(int descriptor, std::size_t block_bytes)
      : descriptor_(descriptor), storage_(block_bytes, '\0') {
    refill();
  }

  bool at_end() const noexcept { return position_ == block_.size(); }
  char current() const noexcept { return block_[position_]; }
  void advance() {
    if (++position_ == block_.size() && descriptor_ >= 0) refill();
  }
  // The bytes that are in memory, and how many of them were taken.
  std::string_view rest() const noexcept { return block_.substr(position_); }
  void take(std::size_t count) noexcept { position_ += count; }
  // Reads more behind the rest. Returns false if there is no more, or no room for it.
  bool extend_rest() {
    if (descriptor_ < 0 || position_ == 0) return false;
    const std::size_t kept = block_.size() - position_;
    std::memmove(storage_.data(), storage_.data() + position_, kept);
    before_block_ += position_;
    position_ = 0;
    const std::size_t got = read_behind(kept);
    block_ = std::string_view(storage_).substr(0, kept + got);
    return got != 0;
  }
  std::uint64_t offset() const noexcept { return before_block_ + position_; }
  int error() const noexcept { return error_; }  // errno of a failed read; 0 means none

 private:
  void refill() {
    before_block_ += block_.size();
    block_ = std::string_view(storage_).substr(0, read_behind(0));
    position_ = 0;
  }

  // Returns the number of bytes read; 0 at the end and after an error.
  std::size_t read_behind(std::size_t kept) {
    ssize_t got = 0;
    do {
      got = ::read(descriptor_, storage_.data() + kept, storage_.size() - kept);
    } while (got < 0 && errno == EINTR);
    if (got < 0) error_ = errno;
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

  int descriptor_ = -1;
  std::string storage_;
  std::string_view block_;
  std::size_t position_ = 0;
  std::uint64_t before_block_ = 0;
  int error_ = 0;
};

// Input iterator for nlohmann's parser. The end iterator refers to no Bytes.
class ByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  ByteIterator() = default;
  explicit ByteIterator(Bytes& bytes) : bytes_(&bytes) {}
  char operator*() const { return bytes_->current(); }
  ByteIterator& operator++() {
    bytes_->advance();
    return *this;
  }
  bool operator==(const ByteIterator&) const { return bytes_ == nullptr || bytes_->at_end(); }

 private:
  Bytes* bytes_ = nullptr;
};

}  // namespace copse::report
