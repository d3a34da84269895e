// Writes the corpus that state_file_fuzz starts from: PROGRAM FOLDER
//
// For every scheme a small random program's state with one of its tokens, and one whole file.
#include <cstdio>
#include <fstream>

#include "base/byte_writer.h"
#include "encoders/replay/state_file.h"
#include "random_program.h"

using namespace copse;
using namespace copse::encoders;

namespace {

void write(const std::string& path, std::span<const std::uint8_t> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

// The longest token of the run: it has the most parts.
Token run(Encoder& encoder, const Trace& trace) {
  Token longest;
  for (const TraceEvent& event : trace) {
    if (event.kind == TraceEvent::Kind::kStart) encoder.start(event.thread);
    if (event.kind == TraceEvent::Kind::kReturn) encoder.ret(event.thread);
    if (event.kind == TraceEvent::Kind::kUnwind) encoder.unwind(event.thread, event.frames);
    if (event.kind == TraceEvent::Kind::kCall) {
      encoder.call(event.thread, site_of(event.edge), callee_of(event.edge));
      Token now;
      encoder.token(event.thread, now);
      if (now.size() >= longest.size()) longest = now;
    }
  }
  return longest;
}

void put_part(ByteWriter& out, std::span<const std::uint8_t> bytes) {
  out.u2(static_cast<std::uint32_t>(bytes.size()));
  out.bytes(bytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_state_corpus FOLDER\n", stderr);
    return 2;
  }
  ProgramShape shape;
  shape.events = 40;
  shape.max_depth = 8;
  const RandomProgram program(5, shape);
  std::uint8_t choice = 0;
  for (const EncoderInfo& scheme : all_encoders()) {
    const std::uint8_t index = choice++;
    if (!scheme.decodes) continue;
    EncoderConfig config;
    config.graph = program.graph.without([](MethodId method) { return raw(method) == 3; });
    const auto encoder = std::move(make_encoder(scheme.name, config)).value();
    const Token token = run(*encoder, program.trace);
    wire::StateWriter state, graph;
    encoder->save_state(state);
    if (scheme.needs_graph) config.graph.save(graph);
    ByteWriter parts;
    parts.u1(index);
    put_part(parts, token.bytes());
    put_part(parts, graph.bytes());
    parts.bytes(state.bytes());
    const std::string name = std::string(argv[1]) + '/' + std::string(scheme.name);
    write(name, parts.view());
    if (scheme.name != "segment" && scheme.name != "stable") continue;
    std::vector<MethodName> methods(9, {"demo.Main", "work", "()V", "Main.java", "app", {{3, 12}}});
    ByteWriter whole;
    whole.u1(0xFF);
    whole.bytes(state_file(scheme, config, state, methods).file());
    write(name + ".file", whole.view());
  }
}
