// The encoders give the same token, byte for byte, as the model in oracle.py, on the same traces.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "encoders/numbering/dacce.h"
#include "encoders/replay/registry.h"
#include "random_program.h"
#include "support/test_scale.h"

namespace copse::encoders {
namespace {

using Tokens = std::map<std::string, std::vector<std::string>>;  // by "program scheme"

// "pcce-stack-8": with at most 8 codes.
std::unique_ptr<Encoder> make(std::string scheme, const graph::CallGraph& graph) {
  EncoderConfig config;
  config.graph = graph;
  if (find_encoder(scheme) == nullptr) {
    const auto dash = scheme.rfind('-');
    config.max_codes = std::strtoull(scheme.c_str() + dash + 1, nullptr, 10);
    scheme.resize(dash);
  }
  // Random programs are too short for the usual epochs.
  const auto dacce = [] {
    return std::make_unique<DacceNumbering>(
        DacceNumberingOptions{.first_edges = 4, .first_pieces = 8, .first_heat = 5});
  };
  if (scheme == "dacce") return adapt<PieceEncoder>(dacce());
  if (scheme == "dacce-stack") return adapt<StackEncoder>(dacce());
  return std::move(make_encoder(scheme, config)).value();
}

std::string graph_text(const graph::CallGraph& graph) {
  std::ostringstream text;
  for (std::uint32_t i = 1; i < graph.method_limit(); ++i) {
    if (graph.contains(MethodId{i})) text << "M " << i << '\n';
  }
  for (const graph::CallGraph::Edge& edge : graph.edges()) {
    const CallSite site = site_of(edge.key);
    text << "G " << raw(site.caller) << ' ' << raw(site.ordinal) << ' ' << raw(callee_of(edge.key))
         << ' ' << edge.calls << '\n';
  }
  return text.str();
}

struct Program {
  Trace trace;
  graph::CallGraph graph;
};

// Every second program hides a third of its methods from the static schemes.
Program make_program(std::uint64_t seed) {
  ProgramShape shape;
  shape.threads = 1 + static_cast<std::uint32_t>(seed % 3);
  shape.several_entries = true;
  shape.recursion = seed % 5 == 0 ? 0.5 : 0.2;
  RandomProgram program(seed, shape);
  if (seed % 2 == 0) return {std::move(program.trace), std::move(program.graph)};
  graph::CallGraph rest =
      program.graph.without([&](MethodId m) { return (raw(m) + seed / 2) % 3 == 0; });
  return {std::move(program.trace), std::move(rest)};
}

Tokens run_oracle(const std::string& input) {
  char path[] = "/tmp/copse-oracle-XXXXXX";
  const int descriptor = mkstemp(path);
  EXPECT_GE(descriptor, 0);
  close(descriptor);
  std::ofstream(path) << input;
  const std::string command = std::string("'") + COPSE_PYTHON + "' '" + COPSE_ORACLE + "' " + path;
  FILE* pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::string output;
  char part[1 << 16];
  while (const std::size_t size = fread(part, 1, sizeof(part), pipe)) output.append(part, size);
  EXPECT_EQ(pclose(pipe), 0);
  std::remove(path);

  Tokens tokens;
  std::istringstream lines(output);
  std::string program, scheme, hex;
  while (lines >> program >> scheme >> hex) tokens[program + ' ' + scheme].push_back(hex);
  return tokens;
}

TEST(OracleAgreement, EveryTokenEqualsTheModels) {
  const std::uint64_t programs = 60 * test::test_scale();
  std::string input;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Program program = make_program(seed);
    input +=
        "P " + std::to_string(seed) + '\n' + graph_text(program.graph) + to_text(program.trace);
  }
  const Tokens expected = run_oracle(input);
  ASSERT_GT(expected.size(), 10 * programs);
  std::uint64_t compared = 0;
  for (const auto& [key, tokens] : expected) {
    const std::uint64_t seed = std::strtoull(key.c_str(), nullptr, 10);
    const Program program = make_program(seed);
    const auto encoder = make(key.substr(key.find(' ') + 1), program.graph);
    EXPECT_EQ(replay(*encoder, program.trace).token_hex, tokens) << "seed and scheme " << key;
    compared += tokens.size();
  }
  printf("  %llu tokens compared\n", static_cast<unsigned long long>(compared));
}

}  // namespace
}  // namespace copse::encoders
