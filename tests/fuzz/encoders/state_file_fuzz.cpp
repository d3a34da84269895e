// Any bytes as an encoder's saved state and a token: one line of complaint or a context, never
// worse.
//
// Input: a byte that picks how the rest is read. 0xFF: the rest is a whole file. Else it picks the
// scheme, and the rest is {length 2, token}, {length 2, call graph}, state; the file is put
// together from them with checksums that fit, so that mutation reaches behind them.
#include <cstdint>

#include "base/byte_reader.h"
#include "encoders/replay/state_file.h"
#include "support/fuzz_require.h"

using namespace copse;
using namespace copse::encoders;

namespace {

void require_line(const std::string& message) {
  require(!message.empty() && message.find('\n') == std::string::npos, "a message is not one line");
}

wire::StateWriter as_state(std::span<const std::uint8_t> bytes) {
  wire::StateWriter state;
  for (const std::uint8_t byte : bytes) state.byte(byte);
  return state;
}

// True when the token decodes.
bool try_file(std::span<const std::uint8_t> bytes, const Token& token) {
  const Result<StateFile> file =
      read_state_file(wire::bytes_in_memory("f", {bytes.begin(), bytes.end()}));
  if (!file.ok()) {
    require_line(file.message());
    require(file.message().rfind("f: at byte ", 0) == 0, "a message names no byte");
    return false;
  }
  const Result<CallPath> path = file->encoder->decode(token);
  if (path.ok()) {
    require(path->size() <= kMaxPathSteps + 1 + token.size(), "a context is too long");
  } else {
    require_line(path.message());
  }
  return path.ok();
}

void try_parts(std::uint8_t choice, ByteReader& in) {
  const EncoderInfo& scheme = all_encoders()[choice % all_encoders().size()];
  if (!scheme.decodes) return;
  const auto token_bytes = in.bytes(in.u2());
  const Token token(std::vector<std::uint8_t>(token_bytes.begin(), token_bytes.end()));
  const auto graph_bytes = in.bytes(in.u2());
  const wire::StateWriter state = as_state(in.bytes(in.remaining()));
  if (!in.ok()) return;

  // The largest and a small word, for the ways out that only a small one needs.
  for (const std::uint64_t max_codes : {std::uint64_t{1} << 62, std::uint64_t{8}}) {
    EncoderConfig config;
    config.max_codes = max_codes;
    config.breadcrumbs.work_limit = 1000;
    wire::StateReader graph(graph_bytes, 0);
    if (scheme.needs_graph) config.graph.load(graph);
    if (!graph.ok()) {
      require_line(graph.status().message());
      return;
    }
    try_file(state_file(scheme, config, state, {}).file(), token);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader in({data, size});
  const std::uint8_t choice = in.u1();
  if (choice == 0xFF) {
    Token token;
    token.put(1, 4);
    try_file(in.bytes(in.remaining()), token);
  } else {
    try_parts(choice, in);
  }
  return 0;
}
