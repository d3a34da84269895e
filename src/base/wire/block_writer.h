// Puts blocks (block.h) into a file, collected until there is enough for one system call.
//
// What a killed program leaves ends with a whole block but for the last write. When a write fails
// the file is cut back to its last whole block and everything is refused until try_again().
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/wire/block.h"

namespace copse::wire {

// Puts one block behind what is in `file`. The payload has at most kMostPayloadBytes.
void append_block(std::vector<std::uint8_t>& file, std::uint8_t type,
                  std::span<const std::uint8_t> payload);

class BlockWriter {
 public:
  // Makes the file, for its owner only (mode 0600). One that is there is replaced, a link is not
  // followed, and what is no regular file is refused.
  static Result<std::unique_ptr<BlockWriter>> create(const std::string& path,
                                                     std::string_view file_header);
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  // `items`: how many of what the caller counts are in the payload. Returns failure().
  Status add(std::uint8_t type, std::span<const std::uint8_t> payload, std::uint64_t items = 0);
  // Writes what is collected.
  void flush();
  // As a failed write, for a caller that cannot give what belongs into the file.
  void give_up(const std::string& why);
  // The first failure since the file was made or try_again() was called: "PATH: why".
  const Status& failure() const { return failure_; }
  void try_again() { failure_ = Status(); }
  // Writes what is collected and closes the file; nothing can be added afterwards. Returns
  // failure().
  Status close();

  // Of those given to add(), that a write took.
  std::uint64_t items_written() const { return items_written_; }
  // Of the file; exact after flush().
  std::uint64_t bytes() const { return bytes_written_ + buffer_.size(); }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

  BlockWriter(std::string path, int descriptor, std::string_view file_header);

  bool write_buffer();
  void fail(Status why);

  const std::string path_;
  const std::string_view file_header_;
  int descriptor_;
  Status failure_;
  std::vector<std::uint8_t> buffer_;  // whole blocks
  std::uint64_t items_buffered_ = 0;
  std::uint64_t items_written_ = 0;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace copse::wire
