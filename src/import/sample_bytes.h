// Bytes of a file of samples in blocks, decompressed if gzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/wire/byte_source.h"

namespace copse::join {

// Byte order mark of UTF-8; allowed at the start of a text and not part of it.
inline constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

class SampleBytes {
 public:
  explicit SampleBytes(std::unique_ptr<wire::ByteSource> source);
  ~SampleBytes();

  // Rest of the current block; "" at the end and after a failure. The first block has 64 KiB, or
  // the whole file.
  std::string_view block() const noexcept { return block_; }
  // Takes bytes; gets the next block when this one is used up. REQUIRES: bytes <= block().size().
  void take(std::size_t bytes) {
    block_.remove_prefix(bytes);
    taken_ += bytes;
    if (block_.empty()) refill();
  }
  bool at_end() const noexcept { return block_.empty(); }
  bool is_compressed() const noexcept { return inflater_ != nullptr; }
  std::uint64_t taken() const noexcept { return taken_; }
  // Reason for the end: "NAME: why" after a failure, ok at the end of the file.
  const Status& status() const noexcept { return status_; }
  const std::string& name() const { return source_->name(); }

 private:
  class Inflater;

  void refill();
  bool read_compressed();

  const std::unique_ptr<wire::ByteSource> source_;
  std::vector<std::uint8_t> read_;  // raw bytes of the file
  std::unique_ptr<Inflater> inflater_;
  std::vector<std::uint8_t> inflated_;
  std::string_view block_;
  std::uint64_t taken_ = 0;
  bool is_at_start_ = true;
  Status status_;
};

// Input iterator for nlohmann's parser. The end iterator refers to no bytes.
class SampleByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  SampleByteIterator() = default;
  explicit SampleByteIterator(SampleBytes& bytes) : bytes_(&bytes) {}
  char operator*() const { return bytes_->block().front(); }
  SampleByteIterator& operator++() {
    bytes_->take(1);
    return *this;
  }
  bool operator==(const SampleByteIterator&) const { return bytes_ == nullptr || bytes_->at_end(); }

 private:
  SampleBytes* bytes_ = nullptr;
};

}  // namespace copse::join
