#include "encoders/ids/id_file.h"

#include <optional>
#include <string_view>
#include <utility>

#include "encoders/numbering/id_decode.h"
#include "encoders/replay/encoder_info.h"
#include "encoders/replay/method_names_state.h"

namespace copse::ids {

using wire::StateReader;
using wire::StateWriter;

namespace {

std::unique_ptr<encoders::CodeNumbering> empty_numbering(std::string_view name) {
  const encoders::EncoderInfo* const scheme = encoders::find_live_encoder(name);
  return scheme == nullptr ? nullptr : scheme->numbering({}, nullptr, encoders::kMostIdCodes);
}

template <typename Fill>
void put(wire::SectionWriter& file, IdSection type, Fill fill) {
  StateWriter content;
  fill(content);
  file.add(static_cast<std::uint8_t>(type), content.bytes());
}

class Loader {
 public:
  void take(std::uint8_t type, StateReader& in) {
    const bool is_threads = IdSection{type} == IdSection::kThreads &&
                            next_ == static_cast<std::uint8_t>(IdSection::kNames) &&
                            threads_.count() == 0;
    if (!is_threads && type != next_++) return in.fail("a section out of place");
    switch (IdSection{type}) {
      case IdSection::kScheme:
        numbering_ = empty_numbering(in.text());
        if (numbering_ == nullptr) in.fail("a scheme that nothing here decodes");
        key_ = RunKey(in.number());
        break;
      case IdSection::kState:
        numbering_->load(in);
        break;
      case IdSection::kPieces:
        pieces_.emplace(numbering_->slots() == encoders::SlotKind::kEpochMappings);
        pieces_->load(in);
        break;
      case IdSection::kThreads:
        threads_.load(in);
        if (threads_.count() == 0) in.fail("a section without a thread");
        break;
      case IdSection::kNames:
        methods_ = encoders::load_method_names(in);
        break;
      case IdSection::kEnd:
        break;
    }
  }

  // When all sections were taken.
  IdFile file() && {
    return {key_, std::move(numbering_), std::move(*pieces_), std::move(threads_),
            std::move(methods_)};
  }

 private:
  std::uint8_t next_ = static_cast<std::uint8_t>(IdSection::kScheme);
  std::unique_ptr<encoders::CodeNumbering> numbering_;
  RunKey key_{0};
  std::optional<encoders::IdPieceList> pieces_;
  ThreadOrigins threads_;
  std::vector<MethodName> methods_;
};

}  // namespace

wire::SectionWriter id_file_without_names(RunKey key, const encoders::CodeNumbering& numbering,
                                          const encoders::IdPieceList& pieces) {
  wire::SectionWriter file(kIdFileHeader);
  put(file, IdSection::kScheme, [&](StateWriter& out) {
    out.text(numbering.name());
    out.number(key.seed());
  });
  put(file, IdSection::kState, [&](StateWriter& out) { numbering.save(out); });
  put(file, IdSection::kPieces, [&](StateWriter& out) { pieces.save(out); });
  return file;
}

void add_threads(const ThreadOrigins& threads, wire::SectionWriter& file) {
  if (threads.count() == 0) return;
  put(file, IdSection::kThreads, [&](StateWriter& out) { threads.save(out); });
}

void add_names(const std::vector<MethodName>& methods, wire::SectionWriter& file) {
  put(file, IdSection::kNames,
      [&](StateWriter& out) { encoders::save_method_names(methods, out); });
  put(file, IdSection::kEnd, [](StateWriter&) {});
}

Result<CallPath> IdFile::decode(std::uint64_t id) const {
  return encoders::decode_id(*numbering, pieces, key.reveal(id));
}

Result<CallPath> IdFile::decode(const ThreadOrigin& origin) const {
  return origin.id == 0 ? CallPath() : encoders::decode_id(*numbering, pieces, origin.id);
}

Result<IdFile> read_id_file(std::unique_ptr<wire::ByteSource> bytes) {
  constexpr wire::SectionFile kFile{kIdFileHeader, "an id file",
                                    static_cast<std::uint8_t>(IdSection::kEnd)};
  Loader loader;
  const Status status = wire::read_sections(
      std::move(bytes), kFile, [&](std::uint8_t type, StateReader& in) { loader.take(type, in); });
  if (!status.ok()) return status;
  return std::move(loader).file();
}

Result<IdFile> read_id_file(const std::string& path) {
  Result<std::unique_ptr<wire::ByteSource>> bytes = wire::open_file(path);
  if (!bytes.ok()) return bytes.status();
  return read_id_file(std::move(bytes).value());
}

}  // namespace copse::ids
