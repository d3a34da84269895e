// Runs one random program under every scheme that decodes and leaves, in FOLDER, SCHEME.state,
// SCHEME.tokens (a token per line) and SCHEME.contexts (what copse decode must print for them).
#include <cstdio>
#include <fstream>
#include <map>

#include "encoders/replay/state_file.h"
#include "random_program.h"

using namespace copse;
using namespace copse::encoders;

namespace {

// Every method has six sites, the last without a line.
std::vector<MethodName> names_of(std::uint32_t limit) {
  std::vector<MethodName> methods(limit);
  for (std::uint32_t m = 1; m < limit; ++m) {
    methods[m] = {"demo.Class" + std::to_string(m % 3),
                  "m" + std::to_string(m),
                  "()V",
                  "Demo.java",
                  "app",
                  {}};
    for (std::int32_t line = 1; line < 6; ++line) {
      methods[m].sites.push_back({line, static_cast<std::int32_t>(10 * m) + line});
    }
    methods[m].sites.push_back({});
  }
  return methods;
}

std::string call_of(EdgeKey edge, const std::vector<MethodName>& methods) {
  const std::uint32_t ordinal = raw(site_of(edge).ordinal);
  const auto& sites = methods[raw(caller_of(edge))].sites;
  if (ordinal == 0) return "";
  const bool has_line = ordinal <= sites.size() && sites[ordinal - 1].line >= 0;
  return has_line ? ":" + std::to_string(sites[ordinal - 1].line) : ":#" + std::to_string(ordinal);
}

std::string text_of(const CallPath& path, const std::vector<MethodName>& methods) {
  std::string text;
  for (const EdgeKey edge : path) {
    if (!text.empty()) text += call_of(edge, methods) + ';';
    const MethodName& method = methods[raw(callee_of(edge))];
    // Literal variants decode to contexts that no program can have.
    text += method.name.empty() ? "ROOT" : method.class_name + '.' + method.name;
  }
  return text.empty() ? "ROOT" : text;
}

int write_scheme(const EncoderInfo& scheme, const RandomProgram& program,
                 const std::string& folder) {
  EncoderConfig config;
  config.graph = program.graph;
  const auto encoder = std::move(make_encoder(scheme.name, config)).value();
  const std::vector<MethodName> methods = names_of(config.graph.method_limit());
  const std::string base = folder + '/' + std::string(scheme.name);
  std::ofstream tokens(base + ".tokens");
  std::vector<Token> taken;
  for (const TraceEvent& event : program.trace) {
    if (event.kind == TraceEvent::Kind::kStart) encoder->start(event.thread);
    if (event.kind == TraceEvent::Kind::kReturn) encoder->ret(event.thread);
    if (event.kind == TraceEvent::Kind::kUnwind) encoder->unwind(event.thread, event.frames);
    if (event.kind == TraceEvent::Kind::kCall) {
      encoder->call(event.thread, site_of(event.edge), callee_of(event.edge));
      encoder->token(event.thread, taken.emplace_back());
    }
  }
  std::ofstream contexts(base + ".contexts");
  for (const Token& token : taken) {
    tokens << token.hex() << '\n';
    const Result<CallPath> path = encoder->decode(token);
    contexts << (path.ok() ? text_of(*path, methods) : "?") << '\n';
  }
  const Status status = save_state_file(base + ".state", scheme, config, *encoder, methods);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok() && tokens.flush() && contexts.flush() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_tokens FOLDER\n", stderr);
    return 2;
  }
  ProgramShape shape;
  shape.max_methods = 30;
  shape.events = 1500;
  shape.threads = 2;
  shape.several_entries = true;
  const RandomProgram program(11, shape);
  int failures = 0;
  for (const EncoderInfo& scheme : all_encoders()) {
    if (scheme.decodes) failures += write_scheme(scheme, program, argv[1]);
  }
  return failures == 0 ? 0 : 1;
}
