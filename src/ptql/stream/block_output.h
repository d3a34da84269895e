// Where the blocks of a stream of values go.
//
// After a failure nothing more is written; what was given since is lost and counted.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

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

  // What the reader has said since the last call: numbers of queries that it has answered, so that no event
  // makes a difference to them any more. Does not wait.
  virtual std::vector<std::uint32_t> take_done_queries() = 0;

  // That came through; exact after flush().
  virtual std::uint64_t events_written() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

// A file, as wire::BlockWriter makes it.
Result<std::unique_ptr<BlockOutput>> file_output(const std::string& path);
// The Unix socket of a command that listens there.
Result<std::unique_ptr<BlockOutput>> socket_output(const std::string& path);
// The other side: says so to whoever writes to `socket`. Where it does not listen it is told of no more,
// and sends what nobody needs.
void tell_query_done(int socket, std::size_t query) noexcept;

}  // namespace copse::values
