// Files written as a whole: sections, each a type and bytes of any length, in blocks (block.h).
//
// A section is one block, or several of its type if its content does not fit: all full but the
// last, which is shorter and may be empty. A reader therefore knows after every block whether the
// section goes on. The type of the last section says that the file is whole.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/wire/block.h"
#include "base/wire/byte_source.h"
#include "base/wire/state_io.h"

namespace copse::wire {

class SectionWriter {
 public:
  // `full`: capacity of a block; tests make it small.
  explicit SectionWriter(std::string_view file_header, std::uint32_t full = kMostPayloadBytes)
      : file_(file_header.begin(), file_header.end()), full_(full) {}

  void add(std::uint8_t type, std::span<const std::uint8_t> content);

  const std::vector<std::uint8_t>& file() const noexcept { return file_; }
  // Replaces the file in one step; readable for its owner only.
  Status write_to(const std::string& path) const;

 private:
  std::vector<std::uint8_t> file_;
  const std::uint32_t full_;
};

// Description of a kind of file of sections.
struct SectionFile {
  std::string_view header;
  std::string_view kind;  // for messages: "an id file"
  std::uint8_t last;      // type of the section that ends it
  std::uint32_t full = kMostPayloadBytes;
};

// Gives each section, the last one too, to `take`, which reads all of it or reports an error by
// in.fail(); reading then stops. Returns "FILE: at byte N: why" for a file that is not whole.
// Memory is bounded by the file's size.
using TakeSection = std::function<void(std::uint8_t type, StateReader& in)>;
Status read_sections(std::unique_ptr<ByteSource> bytes, const SectionFile& file,
                     const TakeSection& take);

}  // namespace copse::wire
