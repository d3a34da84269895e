#include "trace/trace_writer.h"

#include <algorithm>
#include <utility>

namespace copse::trace {
namespace {

// Rows of a table in one block; far below a block's bound.
constexpr std::size_t kRowsPerBlock = 1000;

}  // namespace

Result<std::unique_ptr<TraceWriter>> TraceWriter::create(const std::string& path) {
  Result<std::unique_ptr<wire::BlockWriter>> blocks = wire::BlockWriter::create(path, kFileHeader);
  if (!blocks.ok()) return blocks.status();
  return std::unique_ptr<TraceWriter>(new TraceWriter(std::move(blocks).value()));
}

Status TraceWriter::write_program(const ProgramInfo& program) {
  payload_.clear();
  trace::write_program(program, payload_);
  return add_block(BlockType::kProgram);
}

Status TraceWriter::write_names(std::span<const NameRow> rows) {
  for (; !rows.empty(); rows = rows.subspan(std::min(rows.size(), kRowsPerBlock))) {
    payload_.clear();
    trace::write_names(rows.first(std::min(rows.size(), kRowsPerBlock)), payload_);
    if (Status status = add_block(BlockType::kNames); !status) return status;
  }
  return blocks_->failure();
}

Status TraceWriter::write_skipped(std::span<const SkippedInfo> rows) {
  for (; !rows.empty(); rows = rows.subspan(std::min(rows.size(), kRowsPerBlock))) {
    payload_.clear();
    trace::write_skipped(rows.first(std::min(rows.size(), kRowsPerBlock)), payload_);
    if (Status status = add_block(BlockType::kSkipped); !status) return status;
  }
  return blocks_->failure();
}

Status TraceWriter::write_thread(const ThreadRow& row) {
  payload_.clear();
  trace::write_thread(row, payload_);
  return add_block(BlockType::kThread);
}

Status TraceWriter::write_packet(const shadowstack::Packet& packet) {
  calls_given_ += packet.count;
  if (!blocks_->failure().ok()) return blocks_->failure();
  std::uint64_t& expected = next_sequence_[raw(packet.thread)];
  const shadowstack::FrameChain* start = packet.sequence == expected ? nullptr : &packet.start;
  expected = packet.sequence + 1;
  for (std::span<const CallRecord> records = packet.records(); !records.empty();) {
    const std::size_t taken = calls_.encode(packet.thread, start, records, payload_);
    if (Status status = add_block(BlockType::kCalls, taken); !status) return status;
    records = records.subspan(taken);
    start = nullptr;
  }
  return {};
}

Status TraceWriter::finish(EndInfo end) {
  if (finished_) return blocks_->failure();
  finished_ = true;
  blocks_->flush();
  blocks_->try_again();
  (void)write_skipped(end.skipped);  // a failure stays, and is told below
  end.calls_lost += calls_lost();
  payload_.clear();
  write_end(end, payload_);
  (void)add_block(BlockType::kEnd);
  return blocks_->close();
}

Status TraceWriter::add_block(BlockType type, std::uint64_t calls) {
  return blocks_->add(static_cast<std::uint8_t>(type), payload_.view(), calls);
}

}  // namespace copse::trace
