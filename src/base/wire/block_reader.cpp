#include "base/wire/block_reader.h"

#include <cstddef>

#include "base/wire/crc32c.h"

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
  std::array<std::uint8_t, kFileHeaderBytes> bytes{};
  const Result<std::size_t> size = bytes_->read(std::span(bytes).first(file_header_.size()));
  if (!size.ok()) return size.status();
  const std::string header(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(*size));
  if (header == file_header_) {
    offset_ = header.size();
    return {};
  }
  const std::string kind(kind_);
  const std::string_view any_version = before_version(file_header_);
  if (!header.starts_with(any_version)) return damage(0, "not " + kind);
  const std::string_view known = file_header_.substr(0, any_version.size() + 1);
  if (header.size() > any_version.size() && !header.starts_with(known)) {
    return damage(0, kind + " of another version; this copse reads " + std::string(known));
  }
  return damage(0, "the file header of " + kind + " is damaged");
}

Status BlockReader::rewind() {
  offset_ = 0;
  return bytes_->rewind();
}

Status BlockReader::damage(std::uint64_t offset, const std::string& why) const {
  return Status::error(Fault::kMalformed,
                       bytes_->name() + ": at byte " + std::to_string(offset) + ": " + why);
}

}  // namespace copse::wire
