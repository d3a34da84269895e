#include "context_id/id_file.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/byte_writer.h"
#include "base/replaced_file.h"
#include "encoders/encoder_info.h"
#include "encoders/file_sections.h"
#include "encoders/method_names_state.h"
#include "encoders/numbering/id_decode.h"

namespace copse {

using encoders::Section;
using encoders::StateReader;
using encoders::StateWriter;

namespace {

constexpr std::string_view kFirstLine = "copse.ids/1\n";

enum Tag : std::uint32_t {
  kScheme = 0x5343484D,  // "SCHM"
  kState = 0x53544154,   // "STAT"
  kPieces = 0x50494543,  // "PIEC"
  kNames = 0x4E414D45,   // "NAME"
  kEnd = 0x454E4420,     // "END "
};
constexpr std::array kOrder = {kScheme, kState, kPieces, kNames, kEnd};

std::unique_ptr<CodeNumbering> empty_numbering(std::string_view name) {
  const encoders::EncoderInfo* const scheme = encoders::find_live_encoder(name);
  return scheme == nullptr ? nullptr : scheme->numbering({}, nullptr, kMostIdCodes);
}

class Loader {
 public:
  explicit Loader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  Result<IdFile> run() {
    if (!encoders::begins_with(bytes_, kFirstLine)) {
      return encoders::error_at(0, "not a file of copse.ids/1");
    }
    std::size_t position = kFirstLine.size();
    for (const Tag tag : kOrder) {
      const Result<Section> section = encoders::section_at(bytes_, position);
      if (!section.ok()) return section.status();
      if (section->tag != tag) return encoders::error_at(position, "a section out of place");
      StateReader in(section->content, section->content_at);
      take(tag, in);
      if (!in.at_end()) in.fail("bytes are left over in this section");
      if (!in.ok()) return in.status();
      position = section->end;
    }
    if (position != bytes_.size()) {
      return encoders::error_at(position, "bytes behind the last section");
    }
    return IdFile{key_, std::move(numbering_), std::move(*pieces_), std::move(methods_)};
  }

 private:
  void take(Tag tag, StateReader& in) {
    switch (tag) {
      case kScheme:
        numbering_ = empty_numbering(in.text());
        if (numbering_ == nullptr) in.fail("a scheme that nothing here decodes");
        key_ = RunKey(in.number());
        break;
      case kState:
        numbering_->load(in);
        break;
      case kPieces:
        pieces_.emplace(numbering_->slots() == SlotKind::kEpochRecords);
        pieces_->load(in);
        break;
      case kNames:
        methods_ = encoders::load_method_names(in);
        break;
      case kEnd:
        break;
    }
  }

  std::span<const std::uint8_t> bytes_;
  std::unique_ptr<CodeNumbering> numbering_;
  RunKey key_{0};
  std::optional<IdPieceList> pieces_;
  std::vector<MethodName> methods_;
};

}  // namespace

std::vector<std::uint8_t> id_file_bytes(RunKey key, const CodeNumbering& numbering,
                                        const IdPieceList& pieces,
                                        const std::vector<MethodName>& methods) {
  ByteWriter file;
  encoders::put_first_line(file, kFirstLine);
  const auto put = [&](Tag tag, auto&& fill) {
    StateWriter content;
    fill(content);
    encoders::put_section(file, tag, content);
  };
  put(kScheme, [&](StateWriter& out) {
    out.text(numbering.name());
    out.number(key.seed());
  });
  put(kState, [&](StateWriter& out) { numbering.save(out); });
  put(kPieces, [&](StateWriter& out) { pieces.save(out); });
  put(kNames, [&](StateWriter& out) { encoders::save_method_names(methods, out); });
  put(kEnd, [](StateWriter&) {});
  return std::move(file).take();
}

Status write_id_file(const std::string& path, RunKey key, const CodeNumbering& numbering,
                     const IdPieceList& pieces, const std::vector<MethodName>& methods) {
  const std::vector<std::uint8_t> bytes = id_file_bytes(key, numbering, pieces, methods);
  ReplacedFile file(path);
  Status status = file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (status.ok()) status = file.commit();
  return status;
}

Result<encoders::CallPath> IdFile::decode(std::uint64_t id) const {
  return decode_id(*numbering, pieces, key.reveal(id));
}

Result<IdFile> load_id_file(std::span<const std::uint8_t> bytes) { return Loader(bytes).run(); }

Result<IdFile> read_id_file(const std::string& path) {
  const Result<std::vector<std::uint8_t>> bytes = encoders::read_file_of(path, kFirstLine);
  if (!bytes.ok()) return bytes.status();
  Result<IdFile> loaded = load_id_file(*bytes);
  if (!loaded.ok()) return Status::error(path + ": " + loaded.message());
  return loaded;
}

}  // namespace copse
