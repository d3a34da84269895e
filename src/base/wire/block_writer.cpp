#include "base/wire/block_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/replaced_file.h"
#include "base/stream_lock.h"
#include "base/wire/crc32c.h"

namespace copse::wire {
namespace {

void put_little_endian(std::uint32_t value, std::uint8_t* at) {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

Status failed(const std::string& path, int error) {
  return Status::error(Fault::kSystem, path + ": " + std::strerror(error));
}

Status in_use(const std::string& path) {
  return Status::error(Fault::kRefused, path + ": another process is writing it");
}

}  // namespace

void append_block(std::vector<std::uint8_t>& file, std::uint8_t type,
                  std::span<const std::uint8_t> payload) {
  BlockHeaderBytes header{};
  put_little_endian(static_cast<std::uint32_t>(payload.size()), &header[0]);
  header[4] = type;
  put_little_endian(crc32c(payload, crc32c({header.data(), 8})), &header[8]);
  file.insert(file.end(), header.begin(), header.end());
  file.insert(file.end(), payload.begin(), payload.end());
}

Result<std::unique_ptr<BlockWriter>> BlockWriter::create(const std::string& path,
                                                         std::string_view file_header) {
  struct stat existing {};
  Descriptor old;  // holds the lock until the new file has its own
  if (::lstat(path.c_str(), &existing) == 0) {
    if (!ReplacedFile::replaces(path))
      return Status::error(Fault::kRefused, path + ": is no regular file");
    old = Descriptor(open_to_lock(path));
    if (old && !lock_stream(old.number())) return in_use(path);
    if (::unlink(path.c_str()) != 0) return failed(path, errno);
  }
  const int descriptor = open_above_standard(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (descriptor < 0) return failed(path, errno);
  if (!lock_stream(descriptor)) {  // which has found the file before it was locked
    ::close(descriptor);
    return in_use(path);
  }
  return std::unique_ptr<BlockWriter>(new BlockWriter(path, descriptor, file_header));
}

BlockWriter::BlockWriter(std::string path, int descriptor, std::string_view file_header)
    : path_(std::move(path)),
      file_header_(file_header),
      descriptor_(descriptor),
      buffer_(file_header.begin(), file_header.end()) {
  buffer_.reserve(2 * kBufferBytes);
}

BlockWriter::~BlockWriter() {
  if (descriptor_ < 0) return;
  flush();
  ::close(descriptor_);
}

Status BlockWriter::add(std::uint8_t type, std::span<const std::uint8_t> payload,
                        std::uint64_t items) {
  if (!failure_.ok()) return failure_;
  if (payload.size() > kMostPayloadBytes) {
    fail(failed(path_, EFBIG));
    return failure_;
  }
  append_block(buffer_, type, payload);
  items_buffered_ += items;
  if (buffer_.size() >= kBufferBytes) flush();
  return failure_;
}

void BlockWriter::flush() {
  if (!failure_.ok() || buffer_.empty()) return;
  const std::size_t size = buffer_.size();
  if (!write_buffer()) return;
  bytes_written_ += size;
  items_written_ += std::exchange(items_buffered_, 0);
  buffer_.clear();
}

void BlockWriter::give_up(const std::string& why) {
  if (failure_.ok()) fail(Status::error(Fault::kLimit, path_ + ": " + why));
}

// close() is where a full network disk speaks up.
Status BlockWriter::close() {
  flush();
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0 && failure_.ok()) {
    failure_ = failed(path_, errno);
  }
  return failure_;
}

bool BlockWriter::write_buffer() {
  for (std::span<const std::uint8_t> left = buffer_; !left.empty();) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written >= 0) {
      left = left.subspan(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail(failed(path_, errno));
      return false;
    }
  }
  return true;
}

// Loses the buffer with its items: the file ends where the last good write ended.
void BlockWriter::fail(Status why) {
  failure_ = std::move(why);
  buffer_.clear();
  items_buffered_ = 0;
  const auto end = static_cast<off_t>(bytes_written_);
  if (::ftruncate(descriptor_, end) == 0) ::lseek(descriptor_, end, SEEK_SET);
  if (bytes_written_ == 0) buffer_.assign(file_header_.begin(), file_header_.end());
}

}  // namespace copse::wire
