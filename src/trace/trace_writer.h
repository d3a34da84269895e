// Writes a binary trace, block by block.
//
// When a write fails the file is cut back to its last whole block (block_writer.h); from then on
// only finish() tries once more, so that a disk that was full for a while leaves a trace that says
// what it lacks.
// Threads: one at a time.
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
#include "shadowstack/packets/packet.h"
#include "trace/block_type.h"
#include "trace/calls_block.h"
#include "trace/table_blocks.h"
#include "trace/trace.h"

namespace copse::trace {

class TraceWriter {
 public:
  // Makes the file, as wire::BlockWriter does.
  static Result<std::unique_ptr<TraceWriter>> create(const std::string& path);

  // All return the first failure of the file, "PATH: why", again and again.
  Status write_program(const ProgramInfo& program);
  // Before the first packet that names one of them.
  Status write_names(std::span<const NameRow> rows);
  // What is known before the end; finish() takes the rest.
  Status write_skipped(std::span<const SkippedInfo> rows);
  Status write_thread(const ThreadRow& row);
  // A thread's packets in order of their sequence; gaps say that packets were lost.
  Status write_packet(const shadowstack::Packet& packet);

  // Writes what is collected; a failure shows in the next call of the others.
  void flush() { blocks_->flush(); }

  // As a failed write, for a caller that cannot give what belongs into the file.
  void give_up(const std::string& why) { blocks_->give_up(why); }

  // Ends the file: calls that did not reach it are added to `end.calls_lost`, nothing can be
  // written afterwards. Ok when the end is written, even if some calls are not.
  Status finish(EndInfo end);

  // Given to write_packet(), but lost; exact after finish().
  std::uint64_t calls_lost() const { return calls_given_ - blocks_->items_written(); }
  // Of the file; exact after finish().
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
