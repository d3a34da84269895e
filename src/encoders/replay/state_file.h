// An encoder's saved state, `copse.state/1`: the data that decodes an encoder's tokens in another process.
// docs/binary-formats.md gives the bytes with an example.
//
// A file holds the scheme's name and configuration; for schemes that are numbered before the run, the call graph
// (numbering it again gives the same codes); for the others, the tables that decode needs; and the methods' names, if
// the caller has them. Schemes that do not decode are refused.
//
// The reader accepts any bytes: it reports the byte at which they are wrong, and its allocations are bounded by their
// number. A loaded encoder only decodes, hence const.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/program_names.h"
#include "base/status.h"
#include "base/wire/byte_source.h"
#include "base/wire/sections.h"
#include "base/wire/state_io.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/registry.h"

namespace copse::encoders {

struct StateFile {
  const EncoderInfo* scheme = nullptr;
  std::unique_ptr<const Encoder> encoder;
  std::vector<MethodName> methods;  // by method id, element 0 unused; empty: the file has no names
};

inline constexpr std::string_view kStateFileHeader = "copse.state/1\r\n\x1a";
// Sections, in this order.
enum class StateSection : std::uint8_t {
  kScheme = 1,      // its name and configuration
  kGraph = 2,       // the call graph, of schemes that are numbered before the run
  kMethodKeys = 3,  // keys of the graph's methods, for `stable`
  kState = 4,       // tables of the other schemes
  kNames = 5,       // methods and call sites, if known
  kEnd = 6,         // empty; marks a whole file
};

// `methods`: by method id as in trace::EventSource, or empty. `config`: the encoder's configuration.
wire::SectionWriter state_file(const EncoderInfo& scheme, const EncoderConfig& config,
                               const wire::StateWriter& state,
                               const std::vector<MethodName>& methods);
Status write_state_file(const std::string& path, const EncoderInfo& scheme,
                        const EncoderConfig& config, const wire::StateWriter& state,
                        const std::vector<MethodName>& methods);

// `encoder`: an Encoder, or a ContextEncoder made by visit_encoder(scheme.name, config). Only the owner can read the
// file.
template <typename E>
Status save_state_file(const std::string& path, const EncoderInfo& scheme,
                       const EncoderConfig& config, const E& encoder,
                       const std::vector<MethodName>& methods = {}) {
  wire::StateWriter state;
  if constexpr (requires { encoder.save_state(state); }) encoder.save_state(state);
  return write_state_file(path, scheme, config, state, methods);
}

// Error: "FILE: at byte N: why".
Result<StateFile> read_state_file(std::unique_ptr<wire::ByteSource> bytes);
Result<StateFile> read_state_file(const std::string& path);

}  // namespace copse::encoders
