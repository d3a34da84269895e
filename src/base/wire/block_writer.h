// Puts blocks (block.h) into a file, collected until there is enough for one system call.
//
// The file of a killed program ends with a whole block, except during the last write. When a write
// fails, the file is cut back to its last whole block, and the writer refuses everything until
// try_again(). Not thread-safe.
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

// Appends one block to `file`. REQUIRES: the payload has at most kMostPayloadBytes.
void append_block(std::vector<std::uint8_t>& file, std::uint8_t type,
                  std::span<const std::uint8_t> payload);

class BlockWriter {
 public:
  // Makes the file, for its owner only (mode 0600). Replaces an existing file, does not follow a
  // link, and refuses a path that is not a regular file, or that another writer has open.
  static Result<std::unique_ptr<BlockWriter>> create(const std::string& path,
                                                     std::string_view file_header);
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  // Adds a block. `items`: number of the caller's items in the payload. Returns failure().
  Status add(std::uint8_t type, std::span<const std::uint8_t> payload, std::uint64_t items = 0);
  // Writes the collected blocks.
  void flush();
  // Acts as a failed write, for a caller that cannot produce content that belongs into the file.
  void give_up(const std::string& why);
  // First failure since the file was made or try_again() was called: "PATH: why".
  const Status& failure() const { return failure_; }
  void try_again() { failure_ = Status(); }
  // Writes the collected blocks and closes the file. Nothing can be added afterwards. Returns
  // failure().
  Status close();

  // Number of items given to add() that a write took.
  std::uint64_t items_written() const { return items_written_; }
  // Size of the file; exact after flush().
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
