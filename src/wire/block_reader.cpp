#include "wire/block_reader.h"

#include <algorithm>

#include "wire/crc32c.h"

namespace copse::wire {
namespace {

std::uint32_t little_endian(const std::uint8_t* at) {
  return static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8 |
         static_cast<std::uint32_t>(at[2]) << 16 | static_cast<std::uint32_t>(at[3]) << 24;
}

}  // namespace

Result<std::optional<Block>> BlockReader::next() {
  if (offset_ == 0) {
    if (Status status = read_file_header(); !status) return status;
  }
  BlockHeaderBytes header;
  const Result<std::size_t> header_size = bytes_->read(header);
  if (!header_size.ok()) return header_size.status();
  if (*header_size == 0) return std::optional<Block>();
  if (*header_size < header.size()) return damage(offset_, "the file ends inside a block");
  const std::uint32_t length = little_endian(&header[0]);
  if (length > kMostPayloadBytes || header[5] != 0 || header[6] != 0 || header[7] != 0) {
    return damage(offset_, "not the start of a block");
  }
  payload_.resize(length);
  const Result<std::size_t> size = bytes_->read(payload_);
  if (!size.ok()) return size.status();
  if (*size < length) return damage(offset_, "the file ends inside a block");
  if (crc32c(payload_, crc32c({header.data(), 8})) != little_endian(&header[8])) {
    return damage(offset_, "a block's checksum does not match its bytes");
  }
  const Block block{header[4], offset_, payload_};
  offset_ += header.size() + length;
  return std::optional(block);
}

Status BlockReader::read_file_header() {
  std::array<std::uint8_t, kFileHeaderBytes> header{};
  const Result<std::size_t> size = bytes_->read(header);
  if (!size.ok()) return size.status();
  if (*size < header.size() || !std::equal(header.begin(), header.end(), file_header_.begin())) {
    const std::string kind(kind_);
    const bool other_version =
        *size > kAnyVersionBytes && header[kAnyVersionBytes] != '1' &&
        std::equal(header.begin(), header.begin() + kAnyVersionBytes, file_header_.begin());
    if (other_version) {
      const std::string_view known = file_header_.substr(0, kAnyVersionBytes + 1);
      return damage(0, kind + " of another version; this copse reads " + std::string(known));
    }
    const bool begins_like_one =
        std::equal(header.begin(), header.begin() + kAnyVersionBytes, file_header_.begin());
    return damage(0,
                  begins_like_one ? "the file header of " + kind + " is damaged" : "not " + kind);
  }
  offset_ = header.size();
  return {};
}

Status BlockReader::rewind() {
  offset_ = 0;
  return bytes_->rewind();
}

Status BlockReader::damage(std::uint64_t offset, const std::string& why) const {
  return Status::error(bytes_->name() + ": at byte " + std::to_string(offset) + ": " + why);
}

}  // namespace copse::wire
