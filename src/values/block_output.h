// Where the blocks of a stream of values go.
//
// After a failure nothing more is written; what was given since is lost and counted.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"

namespace copse::values {

class BlockOutput {
 public:
  virtual ~BlockOutput() = default;

  // A block with so many events. Waits where the reader is slow.
  virtual Status add(std::uint8_t type, std::span<const std::uint8_t> payload,
                     std::uint64_t events) = 0;
  // Puts what was added where a kill of this process cannot reach it.
  virtual void flush() = 0;
  // The last block, for which a failed output is tried once more; then nothing can be added.
  virtual Status end(std::uint8_t type, std::span<const std::uint8_t> payload) = 0;

  // That came through; exact after flush().
  virtual std::uint64_t events_written() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

// A file, as wire::BlockWriter makes it.
Result<std::unique_ptr<BlockOutput>> file_output(const std::string& path);
// The Unix socket of a command that listens there.
Result<std::unique_ptr<BlockOutput>> socket_output(const std::string& path);

}  // namespace copse::values
