#include "base/wire/sections.h"

#include <optional>
#include <utility>

#include "base/replaced_file.h"
#include "base/wire/block_reader.h"
#include "base/wire/block_writer.h"

namespace copse::wire {
namespace {

struct Section {
  std::uint8_t type = 0;
  std::uint64_t offset = 0;
  std::vector<std::uint8_t> content;
};

// The next section; nothing at the end of the file.
Result<std::optional<Section>> next_section(BlockReader& blocks, std::uint32_t full) {
  std::optional<Section> section;
  while (true) {
    const Result<std::optional<Block>> block = blocks.next();
    if (!block.ok()) return block.status();
    if (!*block) {
      if (!section) return section;
      return blocks.damage(blocks.offset(), "the file ends inside a section");
    }
    const auto& [type, offset, payload] = **block;
    if (!section) section = Section{type, offset, {}};
    if (type != section->type) return blocks.damage(offset, "a section is not complete");
    if (payload.size() > full) return blocks.damage(offset, "a block is too long");
    section->content.insert(section->content.end(), payload.begin(), payload.end());
    if (payload.size() < full) return section;
  }
}

}  // namespace

void SectionWriter::add(std::uint8_t type, std::span<const std::uint8_t> content) {
  while (content.size() >= full_) {
    append_block(file_, type, content.first(full_));
    content = content.subspan(full_);
  }
  append_block(file_, type, content);
}

Status SectionWriter::write_to(const std::string& path) const {
  ReplacedFile file(path);
  Status status = file.write({reinterpret_cast<const char*>(file_.data()), file_.size()});
  if (status.ok()) status = file.commit();
  return status;
}

Status read_sections(std::unique_ptr<ByteSource> bytes, const SectionFile& file,
                     const TakeSection& take) {
  const std::string name = bytes->name();
  BlockReader blocks(std::move(bytes), file.header, file.kind);
  for (bool at_last = false; !at_last;) {
    const Result<std::optional<Section>> section = next_section(blocks, file.full);
    if (!section.ok()) return section.status();
    if (!*section) return blocks.damage(blocks.offset(), "the file ends before its last section");
    const auto& [type, offset, content] = **section;
    StateReader in(content, offset + kBlockHeaderBytes, file.full);
    take(type, in);
    if (!in.at_end()) in.fail("bytes are left over in this section");
    if (!in.ok()) return in.status().behind(name + ": ");
    at_last = type == file.last;
  }
  const std::uint64_t end = blocks.offset();
  const Result<std::optional<Block>> more = blocks.next();
  if (!more.ok()) return more.status();
  return *more ? blocks.damage(end, "bytes behind the last section") : Status();
}

}  // namespace copse::wire
