#include "encoders/file_sections.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/byte_reader.h"
#include "encoders/crc32.h"

namespace copse::encoders {
namespace {

constexpr std::size_t kSectionHeader = 16;  // tag 4, length 8, CRC-32 4

// Appends what the file has left, at most `most` bytes.
Status read_some(int file, std::vector<std::uint8_t>& bytes, std::size_t most) {
  while (most > 0) {
    const std::size_t size = bytes.size();
    bytes.resize(size + std::min(most, std::max<std::size_t>(size, 1 << 16)));
    const ssize_t got = ::read(file, bytes.data() + size, bytes.size() - size);
    const int error = errno;
    bytes.resize(size + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got == 0) break;
    if (got < 0 && error != EINTR) return Status::error(std::strerror(error));
    most -= bytes.size() - size;
  }
  return {};
}

}  // namespace

void put_first_line(ByteWriter& file, std::string_view first_line) {
  file.bytes({reinterpret_cast<const std::uint8_t*>(first_line.data()), first_line.size()});
}

void put_section(ByteWriter& file, std::uint32_t tag, const StateWriter& content) {
  const std::span<const std::uint8_t> bytes = content.bytes();
  file.u4(tag);
  file.u4(static_cast<std::uint32_t>(bytes.size() >> 32));
  file.u4(static_cast<std::uint32_t>(bytes.size()));
  file.u4(crc32(bytes));
  file.bytes(bytes);
}

Result<Section> section_at(std::span<const std::uint8_t> file, std::size_t start) {
  ByteReader header(file.subspan(start));
  Section section{};
  section.tag = header.u4();
  const std::uint64_t length = std::uint64_t{header.u4()} << 32 | header.u4();
  const std::uint32_t checksum = header.u4();
  if (!header.ok() || length > header.remaining()) {
    return error_at(start, "the file ends within this section");
  }
  section.content_at = start + kSectionHeader;
  section.content = file.subspan(section.content_at, length);
  section.end = section.content_at + length;
  if (crc32(section.content) != checksum) {
    return error_at(start, "this section's checksum does not fit its content");
  }
  return section;
}

Status error_at(std::size_t position, const std::string& why) {
  return Status::error("at byte " + std::to_string(position) + ": " + why);
}

bool begins_with(std::span<const std::uint8_t> bytes, std::string_view first_line) {
  return bytes.size() >= first_line.size() &&
         std::equal(first_line.begin(), first_line.end(), bytes.begin());
}

Result<std::vector<std::uint8_t>> read_file_of(const std::string& path,
                                               std::string_view first_line) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return Status::error(path + ": cannot be read: " + std::strerror(errno));
  std::vector<std::uint8_t> bytes;
  // A foreign file may be endless: its beginning is enough.
  const Status status = read_some(file, bytes, first_line.size());
  Status rest;
  if (status.ok() && begins_with(bytes, first_line)) rest = read_some(file, bytes, ~std::size_t{0});
  ::close(file);
  for (const Status& part : {status, rest}) {
    if (!part.ok()) return Status::error(path + ": cannot be read: " + part.message());
  }
  return bytes;
}

}  // namespace copse::encoders
