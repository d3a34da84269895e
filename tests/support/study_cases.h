// Streams that schemes decode wrongly as published or weakened, and the figures of the study modules for a stream.
#pragma once

#include <string>
#include <vector>

#include "encoders/study/encoder_check.h"
#include "encoders/study/scheme_config.h"
#include "op_streams.h"

namespace copse::study {

struct StudiedCase {
  std::string scheme;  // the one that fails
  std::string repaired;
  std::vector<Op> ops;
  ConfigOptions config;
};

// The smallest known program for each published or weakened form of the registry.
inline std::vector<StudiedCase> counterexamples() {
  using encoders::TraceBuilder;
  std::vector<StudiedCase> cases;
  ConfigOptions plain, tiny;
  tiny.max_codes = 4;
  const auto add = [&](std::string scheme, std::string repaired, const TraceBuilder& program,
                       const ConfigOptions& config) {
    cases.push_back({std::move(scheme), std::move(repaired), ops_of(program.trace()), config});
  };
  // A self edge makes 2's codes outgrow their range at 3, which 2 calls at two sites.
  add("luce-literal", "luce-versions",
      TraceBuilder()
          .start(0, 1)
          .call(1, 1, 2)
          .call(2, 3, 3)
          .ret()
          .call(2, 2, 2)
          .call(2, 1, 3)
          .ret(3)
          .call(1, 2, 2)
          .call(2, 3, 3)
          .token(),
      plain);
  const TraceBuilder recursion =
      TraceBuilder().start(0, 1).call(1, 1, 2).call(2, 2, 2).call(2, 2, 2).token().ret(2).call(2, 2,
                                                                                               2);
  add("luce-no-caller-bump", "luce-versions", recursion, plain);
  add("luce-no-caller-bump", "luce-conditional", recursion, plain);
  add("luce-no-caller-bump", "luce-canonical", recursion, plain);
  add("luce-no-caller-bump", "luce-versions",
      TraceBuilder()
          .start(0, 1)
          .start(1, 1)
          .call(1, 1, 2)
          .on(0)
          .call(1, 2, 3)
          .call(3, 1, 2)
          .call(2, 1, 4)
          .token()
          .on(1)
          .call(2, 2, 4),
      plain);
  add("pcce-no-dummy-edge", "pcce-stack",
      TraceBuilder().start(0, 1).call(1, 1, 2).call(2, 1, 2).token(), plain);
  // The paper says nothing about an edge that the graph does not know.
  ConfigOptions one_site;
  one_site.graph = TraceBuilder().start(0, 1).call(1, 1, 2).graph();
  add("pcce-literal", "pcce-stack", TraceBuilder().start(0, 1).call(1, 2, 2).token(), one_site);
  const TraceBuilder two_sites =
      TraceBuilder().start(0, 1).call(1, 1, 2).call(2, 1, 2).token().ret().call(2, 2, 2).token();
  add("rcce-literal", "rcce-stack", two_sites, tiny);
  add("rcce-literal-id", "rcce-stack", two_sites, tiny);
  TraceBuilder deep;
  deep.start(0, 1).call(1, 1, 2);
  for (int depth = 0; depth < 70; ++depth) deep.call(2, 1, 2);
  add("rcce-minus-literal", "rcce-stack", deep.token(), plain);

  // P's site expects D; X, loaded later, calls D, which calls G and returns, and then G itself.
  enum : std::uint32_t { kA = 1, kP, kD, kG, kX };
  const TraceBuilder late = TraceBuilder()
                                .start(0, kA)
                                .call(kA, 1, kP)
                                .call(kP, 1, kX)
                                .call(kX, 1, kD)
                                .call(kD, 1, kG)
                                .ret(2)
                                .call(kX, 2, kG)
                                .token();
  ConfigOptions without_x;
  without_x.graph =
      TraceBuilder().start(0, kA).call(kA, 1, kP).call(kP, 1, kD).call(kD, 1, kG).graph();
  add("deltapath-literal", "deltapath-tracking", late, without_x);
  add("deltapath-literal-kept", "deltapath-tracking", late, without_x);
  return cases;
}

struct Studied {
  Survey survey;
  EncoderCheck row;
};

inline Studied study(const std::vector<Op>& ops, std::string_view scheme,
                     const ConfigOptions& config = {}, const SampleOptions& samples = {},
                     const CheckOptions& options = {}) {
  OpSource source(ops);
  OpStream stream(source);
  Studied result{std::move(survey_stream(stream, samples)).value(), {}};
  const encoders::EncoderConfig given =
      SchemeConfig(config, source.methods()).config(result.survey.graph);
  result.row = std::move(check_encoder(stream, result.survey, *encoders::find_encoder(scheme),
                                       given, options))
                   .value();
  return result;
}

}  // namespace copse::study
