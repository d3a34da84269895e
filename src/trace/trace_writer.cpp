#include "trace/trace_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/replaced_file.h"
#include "trace/crc32c.h"

namespace copse::trace {
namespace {

// Rows of a table in one block; far below a block's bound.
constexpr std::size_t kRowsPerBlock = 1000;

void put_little_endian(std::uint32_t value, std::uint8_t* at) {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

Status failure(const std::string& path, int error) {
  return Status::error(path + ": " + std::strerror(error));
}

}  // namespace

Result<std::unique_ptr<TraceWriter>> TraceWriter::create(const std::string& path) {
  struct stat existing {};
  if (::lstat(path.c_str(), &existing) == 0) {
    if (!ReplacedFile::replaces(path)) return Status::error(path + ": is no regular file");
    if (::unlink(path.c_str()) != 0) return failure(path, errno);
  }
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return failure(path, errno);
  return std::unique_ptr<TraceWriter>(new TraceWriter(path, descriptor));
}

TraceWriter::TraceWriter(std::string path, int descriptor)
    : path_(std::move(path)),
      descriptor_(descriptor),
      buffer_(kFileHeader.begin(), kFileHeader.end()) {
  buffer_.reserve(2 * kBufferBytes);
}

TraceWriter::~TraceWriter() {
  if (descriptor_ < 0) return;
  flush();
  ::close(descriptor_);
}

Status TraceWriter::write_program(const ProgramInfo& program) {
  payload_.clear();
  trace::write_program(program, payload_);
  return add_block(BlockType::kProgram, payload_.view());
}

Status TraceWriter::write_names(std::span<const NameRow> rows) {
  for (; !rows.empty(); rows = rows.subspan(std::min(rows.size(), kRowsPerBlock))) {
    payload_.clear();
    trace::write_names(rows.first(std::min(rows.size(), kRowsPerBlock)), payload_);
    if (Status status = add_block(BlockType::kNames, payload_.view()); !status) return status;
  }
  return failure_;
}

Status TraceWriter::write_skipped(std::span<const SkippedInfo> rows) {
  for (; !rows.empty(); rows = rows.subspan(std::min(rows.size(), kRowsPerBlock))) {
    payload_.clear();
    trace::write_skipped(rows.first(std::min(rows.size(), kRowsPerBlock)), payload_);
    if (Status status = add_block(BlockType::kSkipped, payload_.view()); !status) return status;
  }
  return failure_;
}

Status TraceWriter::write_thread(const ThreadRow& row) {
  payload_.clear();
  trace::write_thread(row, payload_);
  return add_block(BlockType::kThread, payload_.view());
}

Status TraceWriter::write_packet(const Packet& packet) {
  calls_given_ += packet.count;
  if (!failure_.ok()) return failure_;
  std::uint64_t& expected = next_sequence_[raw(packet.thread)];
  const FrameChain* start = packet.sequence == expected ? nullptr : &packet.start;
  expected = packet.sequence + 1;
  for (std::span<const CallRecord> records = packet.records(); !records.empty();) {
    const std::size_t taken = calls_.encode(packet.thread, start, records, payload_);
    calls_buffered_ += taken;
    if (Status status = add_block(BlockType::kCalls, payload_.view()); !status) return status;
    records = records.subspan(taken);
    start = nullptr;
  }
  return {};
}

Status TraceWriter::write_events(const EventBatch& batch) {
  constexpr std::size_t kEventsPerBlock = 65536;
  for (std::span<const Event> events = batch.events; !events.empty();
       events = events.subspan(std::min(events.size(), kEventsPerBlock))) {
    payload_.clear();
    trace::write_events(batch.thread, events.first(std::min(events.size(), kEventsPerBlock)),
                        payload_);
    if (Status status = add_block(BlockType::kEvents, payload_.view()); !status) return status;
  }
  return failure_;
}

void TraceWriter::give_up(const std::string& why) {
  if (failure_.ok()) (void)fail(Status::error(path_ + ": " + why));
}

Status TraceWriter::finish(EndInfo end) {
  if (descriptor_ < 0) return failure_;
  flush();
  failure_ = Status();
  (void)write_skipped(end.skipped);  // a failure stays, and is told below
  end.calls_lost += calls_lost();
  payload_.clear();
  write_end(end, payload_);
  if (Status status = add_block(BlockType::kEnd, payload_.view()); status) flush();
  // close() is where a full network disk speaks up.
  if (::close(std::exchange(descriptor_, -1)) != 0 && failure_.ok()) {
    failure_ = failure(path_, errno);
  }
  return failure_;
}

Status TraceWriter::add_block(BlockType type, std::span<const std::uint8_t> payload) {
  if (!failure_.ok()) return failure_;
  if (payload.size() > kMostPayloadBytes) return fail(failure(path_, EFBIG));
  BlockHeaderBytes header{};
  put_little_endian(static_cast<std::uint32_t>(payload.size()), &header[0]);
  header[4] = static_cast<std::uint8_t>(type);
  put_little_endian(crc32c(payload, crc32c({header.data(), 8})), &header[8]);
  buffer_.insert(buffer_.end(), header.begin(), header.end());
  buffer_.insert(buffer_.end(), payload.begin(), payload.end());
  if (buffer_.size() >= kBufferBytes) flush();
  return failure_;
}

void TraceWriter::flush() {
  if (!failure_.ok() || buffer_.empty()) return;
  const std::size_t size = buffer_.size();
  if (!write_buffer()) return;
  bytes_written_ += size;
  calls_written_ += std::exchange(calls_buffered_, 0);
  buffer_.clear();
}

bool TraceWriter::write_buffer() {
  for (std::span<const std::uint8_t> left = buffer_; !left.empty();) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written >= 0) {
      left = left.subspan(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      (void)fail(failure(path_, errno));
      return false;
    }
  }
  return true;
}

// What the buffer held is lost with its calls: the file ends where the last good write ended.
Status TraceWriter::fail(Status why) {
  failure_ = std::move(why);
  buffer_.clear();
  calls_buffered_ = 0;
  const auto end = static_cast<off_t>(bytes_written_);
  if (::ftruncate(descriptor_, end) == 0) ::lseek(descriptor_, end, SEEK_SET);
  if (bytes_written_ == 0) buffer_.assign(kFileHeader.begin(), kFileHeader.end());
  return failure_;
}

}  // namespace copse::trace
