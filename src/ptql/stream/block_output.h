// Destination of the blocks of a value stream.
//
// After a failure nothing more is written; later events are lost and counted.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace copse::stream {

class BlockOutput {
 public:
  virtual ~BlockOutput() = default;

  // Adds a block with `events` events. Blocks while the reader is slow.
  virtual Status add(std::uint8_t type, std::span<const std::uint8_t> payload,
                     std::uint64_t events) = 0;
  // Moves added blocks to where a kill of this process cannot lose them.
  virtual void flush() = 0;
  // Adds the last block. Tries a failed output once more. Nothing can be added afterwards.
  virtual Status end(std::uint8_t type, std::span<const std::uint8_t> payload) = 0;

  // Returns the numbers of the queries that the reader has fully answered since the last call: events no longer matter
  // to them. Does not wait.
  virtual std::vector<std::uint32_t> take_done_queries() = 0;

  // Number of events that came through; exact after flush().
  virtual std::uint64_t events_written() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

// Makes a file output on a wire::BlockWriter.
Result<std::unique_ptr<BlockOutput>> file_output(const std::string& path);
// Connects to the Unix socket of a listening command.
Result<std::unique_ptr<BlockOutput>> socket_output(const std::string& path);
// Tells the writer at the other end of `socket` that a query is done. If the writer does not read, it gets no further
// such messages and keeps sending unneeded events.
void tell_query_done(int socket, std::size_t query) noexcept;

}  // namespace copse::stream
