// Any bytes as a file of context ids: one line of complaint, or ids that decode or do not, never
// worse.
//
// Input: a byte that picks how the rest is read. kWholeFile: the rest is a whole file. Else it
// picks the scheme, and the rest is an id of 8 bytes, {length 2, pieces}, the numbering's state;
// the file is put together from them with checksums that fit, so that mutation reaches behind them.
#include <cstdint>
#include <string>

#include "base/byte_reader.h"
#include "encoders/ids/id_file.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/method_names_state.h"
#include "fuzz/ids/id_file_parts.h"
#include "support/fuzz_require.h"

using namespace copse;
using namespace copse::ids;
using wire::StateWriter;

namespace {

constexpr RunKey kKey(7);

void require_line(const std::string& message) {
  require(!message.empty() && message.find('\n') == std::string::npos, "a message is not one line");
}

// False when the context did not end: the longest takes its time.
bool try_id(const IdFile& file, std::uint64_t id) {
  const Result<CallPath> path = file.decode(kKey.hide(id));
  if (path.ok()) {
    require(path->size() <= kMaxPathSteps + 1, "a context is too long");
  } else {
    require_line(path.message());
  }
  return path.ok() || path.message() != "the path does not end";
}

void try_file(std::span<const std::uint8_t> bytes, std::uint64_t id) {
  const Result<IdFile> file =
      read_id_file(wire::bytes_in_memory("f", {bytes.begin(), bytes.end()}));
  if (!file.ok()) {
    require_line(file.message());
    require(file.message().rfind("f: at byte ", 0) == 0, "a message names no byte");
    return;
  }
  if (!try_id(*file, id)) return;
  for (std::uint64_t piece = 0; piece < 4; ++piece) {
    for (std::uint32_t method = 1; method < 8; ++method) {
      for (std::uint64_t code = 0; code < 8; ++code) {
        const std::uint64_t near =
            encoders::context_id(piece * encoders::kMostIdCodes + code, MethodId{method});
        if (!try_id(*file, near)) return;
      }
    }
  }
}

void try_parts(std::uint8_t choice, ByteReader& in) {
  const std::uint64_t id = (std::uint64_t{in.u4()} << 32) | in.u4();
  const auto pieces = in.bytes(in.u2());
  const auto state = in.bytes(in.remaining());
  if (!in.ok()) return;
  wire::SectionWriter file(kIdFileHeader);
  const auto put = [&](IdSection type, std::span<const std::uint8_t> content) {
    file.add(static_cast<std::uint8_t>(type), content);
  };
  StateWriter scheme;
  scheme.text(kIdSchemes[choice % kIdSchemes.size()]);
  scheme.number(kKey.seed());
  StateWriter names;
  encoders::save_method_names({}, names);
  put(IdSection::kScheme, scheme.bytes());
  put(IdSection::kState, state);
  put(IdSection::kPieces, pieces);
  put(IdSection::kNames, names.bytes());
  put(IdSection::kEnd, {});
  try_file(file.file(), id);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader in({data, size});
  const std::uint8_t choice = in.u1();
  if (choice == kWholeFile) {
    try_file(in.bytes(in.remaining()), 0);
  } else {
    try_parts(choice, in);
  }
  return 0;
}
