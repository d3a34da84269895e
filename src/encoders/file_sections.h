// What graph files (graph_file.h) and files of context ids (context_id/id_file.h) are made of: a
// first line that names the format, then sections. docs/formats.md gives the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_writer.h"
#include "base/status.h"
#include "wire/state_io.h"

namespace copse::encoders {

void put_first_line(ByteWriter& file, std::string_view first_line);
void put_section(ByteWriter& file, std::uint32_t tag, const StateWriter& content);

struct Section {
  std::uint32_t tag;
  std::size_t content_at;  // in the file
  std::span<const std::uint8_t> content;
  std::size_t end;
};
// The section that begins at `start`, whole and with the right checksum, or "at byte N: why".
Result<Section> section_at(std::span<const std::uint8_t> file, std::size_t start);

Status error_at(std::size_t position, const std::string& why);

bool begins_with(std::span<const std::uint8_t> bytes, std::string_view first_line);
// The whole file when it begins with the line, else its beginning. The message begins with the
// path.
Result<std::vector<std::uint8_t>> read_file_of(const std::string& path,
                                               std::string_view first_line);

}  // namespace copse::encoders
