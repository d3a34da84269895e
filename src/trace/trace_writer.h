// Writes a binary trace, block by block.
//
// When a write fails, the file is cut back to its last whole block (block_writer.h). From then on
// only finish() tries once more, so that a disk that was full for a while leaves a trace that says
// what it lacks. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/status.h"
#include "base/wire/block_writer.h"
#include "base/wire/payload.h"
#include "shadowstack/packet.h"
#include "trace/calls_block.h"
#include "trace/table_blocks.h"
#include "trace/trace.h"

namespace copse::trace {

class TraceWriter {
 public:
  // Makes the file, as wire::BlockWriter does.
  static Result<std::unique_ptr<TraceWriter>> create(const std::string& path);

  // Write a block. All return the first failure of the file, "PATH: why", again and again.
  Status write_program(const ProgramInfo& program);
  // REQUIRES: no packet that names one of the methods was written yet.
  Status write_names(std::span<const NameRow> rows);
  // Writes the rows known before the end; finish() takes the others.
  Status write_skipped(std::span<const SkippedInfo> rows);
  Status write_thread(const ThreadRow& row);
  // Writes a packet. REQUIRES: a thread's packets come in order of their sequence. A gap means that
  // packets were lost.
  Status write_packet(const shadowstack::Packet& packet);

  // Writes the collected blocks; a failure shows in the next call of another function.
  void flush() { blocks_->flush(); }
  const Status& failure() const { return blocks_->failure(); }

  // Acts as a failed write, for a caller that cannot produce content that belongs into the file.
  void give_up(const std::string& why) { blocks_->give_up(why); }

  // Ends the file; nothing can be written afterwards. Adds the calls that did not reach the file to
  // `end.calls_lost`. Returns ok when the end is written, even if some calls are not.
  Status finish(EndInfo end);

  // Number of calls given to write_packet() and lost; exact after finish().
  std::uint64_t calls_lost() const { return calls_given_ - blocks_->items_written(); }
  // Size of the file; exact after finish().
  std::uint64_t bytes() const { return blocks_->bytes(); }

 private:
  explicit TraceWriter(std::unique_ptr<wire::BlockWriter> blocks) : blocks_(std::move(blocks)) {}

  Status add_block(BlockType type, std::uint64_t calls = 0);

  const std::unique_ptr<wire::BlockWriter> blocks_;
  bool finished_ = false;
  CallsEncoder calls_;
  std::unordered_map<std::uint32_t, std::uint64_t> next_sequence_;  // by thread
  wire::PayloadWriter payload_;
  std::uint64_t calls_given_ = 0;
};

}  // namespace copse::trace
