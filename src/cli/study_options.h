// Options that copse validate and copse compare share: a trace, a choice of encoders, where tokens are taken, and what
// static schemes know of the program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/parser.h"
#include "encoders/study/encoder_check.h"
#include "encoders/study/scheme_config.h"
#include "encoders/study/survey.h"

namespace copse::cli {

struct StudyArguments {
  std::string trace;
  std::vector<std::string> encoders;  // in the registry's order after check_study_options()
  std::string graph;                  // a report; "" for the graph of the first pass
  study::SampleOptions samples;
  double withhold = 0;
  bool withhold_entries = false;
  int max_code_bits = 62;
  std::uint64_t events = study::OpStream::kNoLimit;
  std::uint64_t max_megabytes = 4096;
};

// `most_samples`: maximum number of sampled calls without --every.
void add_study_options(CLI::App& command, StudyArguments& arguments, std::uint64_t most_samples);

// Checks what the parser cannot. Fills in all encoders if none was named.
Status check_study_options(StudyArguments& arguments);
// Returns an error for a named option of a trace that has no effect on the chosen encoders.
Status check_study_effects(const CLI::App& command, const StudyArguments& arguments,
                           bool graph_has_another_use);

// Checks the trace and the call graph, if there are any.
Status check_study_inputs(const StudyArguments& arguments);

// A trace after its first pass.
struct PreparedStudy {
  std::unique_ptr<trace::EventSource> source;
  std::unique_ptr<study::OpStream> stream;
  study::Survey survey;
  study::ConfigOptions config_options;
  study::SchemeConfig config;
  std::string trace_name;  // valid UTF-8

  study::CheckOptions check;  // whose texts name the source's methods
};
// Puts the trace's name in front of the message. Readers name their file themselves; messages of a study about events
// do not.
Status about_trace(const StudyArguments& arguments, const Status& failure);

Result<PreparedStudy> prepare_study(const StudyArguments& arguments);

}  // namespace copse::cli
