// What copse validate and copse compare have in common: a trace, a choice of encoders, where tokens
// are taken, and what static schemes know of the program.
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
  std::string graph;                  // a report, "" for the first pass
  study::SampleOptions samples;
  double withhold = 0;
  int max_code_bits = 62;
  std::uint64_t events = study::OpStream::kNoLimit;
  std::uint64_t max_megabytes = 4096;
};

// `most_samples`: how many calls are sampled at most when --every is not given.
void add_study_options(CLI::App& command, StudyArguments& arguments, std::uint64_t most_samples);

// What the parser cannot check. Fills in all encoders when none was named.
Status check_study_options(StudyArguments& arguments);
// That of the options of a trace none was named without an effect on the encoders that were chosen.
Status check_study_effects(const CLI::App& command, const StudyArguments& arguments,
                           bool graph_has_another_use);

// Whether the trace and the call graph, where there are such, are what they should be.
Status check_study_inputs(const StudyArguments& arguments);

// A trace gone through once.
struct PreparedStudy {
  std::unique_ptr<trace::EventSource> source;
  std::unique_ptr<study::OpStream> stream;
  study::Survey survey;
  study::ConfigOptions config_options;
  study::SchemeConfig config;
  std::string trace_name;  // valid UTF-8

  study::CheckOptions check;
};
// The message with the trace's name in front. Readers name their file themselves, what a study
// finds wrong with the events does not.
std::string about_trace(const StudyArguments& arguments, const std::string& message);

Result<PreparedStudy> prepare_study(const StudyArguments& arguments);

}  // namespace copse::cli
