// Reads a file of blocks (block.h), one in memory at a time. Reports every block that is not whole
// as damage.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/wire/block.h"
#include "base/wire/byte_source.h"

namespace copse::wire {

struct Block {
  std::uint8_t type = 0;  // as read; may be unknown
  std::uint64_t offset = 0;
  std::span<const std::uint8_t> payload;
};

class BlockReader {
 public:
  // `file_header`: header of the expected kind of file. `kind`: its name in messages.
  BlockReader(std::unique_ptr<ByteSource> bytes, std::string_view file_header,
              std::string_view kind)
      : bytes_(std::move(bytes)), file_header_(file_header), kind_(kind) {}

  // Returns the next block, valid until the next call; std::nullopt at the end of the file.
  Result<std::optional<Block>> next();
  Status rewind();

  // Returns the error "FILE: at byte N: why".
  Status damage(std::uint64_t offset, const std::string& why) const;
  // Offset of the block that next() would read.
  std::uint64_t offset() const { return offset_; }

 private:
  Status read_file_header();

  const std::unique_ptr<ByteSource> bytes_;
  const std::string_view file_header_;
  const std::string_view kind_;
  std::uint64_t offset_ = 0;
  std::vector<std::uint8_t> payload_;
};

}  // namespace copse::wire
