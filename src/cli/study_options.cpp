#include "cli/study_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "base/joined_text.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "cli/context_text.h"
#include "cli/file_kind.h"
#include "cli/messages.h"
#include "cli/program_options.h"
#include "graph/numbered_graph.h"
#include "trace/open_trace.h"

namespace copse::cli {
namespace {

std::vector<std::string> studied_names() {
  std::vector<std::string> names;
  for (const encoders::EncoderInfo& info : encoders::all_encoders()) names.emplace_back(info.name);
  return names;
}

// Without other forms of schemes, which go where their schemes go.
std::string names_with(bool encoders::EncoderInfo::*trait) {
  std::vector<std::string> names;
  for (const encoders::EncoderInfo& info : encoders::all_encoders()) {
    if (info.*trait && info.form == encoders::Form::kOurs) names.emplace_back(info.name);
  }
  return joined_text(names);
}

}  // namespace

void add_study_options(CLI::App& command, StudyArguments& arguments, std::uint64_t most_samples) {
  arguments.samples.most = most_samples;
  command.add_option("trace", arguments.trace, "Trace, binary or text")->required();
  command.add_option("--encoder", arguments.encoders, "Encoder to study; repeatable (all)")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->delimiter(',');
  command
      .add_option("--every", arguments.samples.every,
                  "Take a token at every Kth call (so that there are at most " +
                      std::to_string(most_samples) + ", and " +
                      std::to_string(arguments.samples.most_frames) + " frames in all)")
      ->check(whole_number(false))
      ->type_name("K")
      ->group(kOfTraces);
  command
      .add_option("--random", arguments.samples.random_count,
                  "Also take tokens at N random places (0)")
      ->check(CLI::Range(0, 10'000'000))
      ->type_name("N")
      ->group(kOfTraces);
  command
      .add_option("--seed", arguments.samples.seed,
                  "Seed of random places and withheld methods (1)")
      ->check(whole_number())
      ->type_name("S")
      ->group(kOfTraces);
  command
      .add_option("--withhold", arguments.withhold,
                  "Share of methods, 0 to 1, withheld from encoders that number before the run (0)")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("F")
      ->group(kOfTraces);
  command
      .add_flag("--withhold-entries", arguments.withhold_entries,
                "Also withhold methods that threads enter, which are known otherwise")
      ->needs("--withhold")
      ->group(kOfTraces);
  command
      .add_option("--graph", arguments.graph,
                  "Call graph for encoders that number before the run: a report as JSON, or what "
                  "copse graph wrote (that of the trace)")
      ->type_name("REPORT");
  command
      .add_option("--max-codes", arguments.max_code_bits, "Largest size of a code, in bits (62)")
      ->check(CLI::Range(1, 62))
      ->type_name("BITS")
      ->group(kOfTraces);
  command.add_option("--events", arguments.events, "Use only the first N events")
      ->check(whole_number(false))
      ->type_name("N")
      ->group(kOfTraces);
  command
      .add_option("--max-memory", arguments.max_megabytes,
                  "Stop an encoder that holds more than this many megabytes (4096)")
      ->check(CLI::Range(1, 1 << 24))
      ->type_name("MB")
      ->group(kOfTraces);
}

Status check_study_options(StudyArguments& arguments) {
  const std::vector<std::string> known = studied_names();
  for (const std::string& name : arguments.encoders) {
    if (encoders::find_encoder(name) != nullptr) continue;
    return Status::error(Fault::kUsage,
                         "--encoder " + name + ": no such encoder" +
                             did_you_mean(name, known, "; there are " + joined_text(known)));
  }
  std::vector<std::string> chosen;
  for (const std::string& name : known) {
    const auto& asked = arguments.encoders;
    if (asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end()) {
      chosen.push_back(name);
    }
  }
  arguments.encoders = std::move(chosen);
  return {};
}

Status check_study_effects(const CLI::App& command, const StudyArguments& arguments,
                           bool graph_has_another_use) {
  const auto any = [&](bool encoders::EncoderInfo::*trait) {
    return std::any_of(
        arguments.encoders.begin(), arguments.encoders.end(),
        [&](const std::string& name) { return encoders::find_encoder(name)->*trait; });
  };
  const auto unless = [&](bool has_effect, const char* option, const std::string& why) {
    return has_effect ? Status() : check_not_named(command, {option}, why);
  };
  const bool has_static = any(&encoders::EncoderInfo::needs_graph);
  const std::string chosen = "on " + joined_text(arguments.encoders) + ", only on ";
  Status status =
      unless(has_static, "--withhold", chosen + names_with(&encoders::EncoderInfo::needs_graph));
  if (status.ok()) {
    status = unless(has_static || graph_has_another_use, "--graph",
                    chosen + names_with(&encoders::EncoderInfo::needs_graph));
  }
  if (status.ok()) {
    status = unless(any(&encoders::EncoderInfo::has_codes), "--max-codes",
                    chosen + names_with(&encoders::EncoderInfo::has_codes));
  }
  return status;
}

Status check_study_inputs(const StudyArguments& arguments) {
  if (!arguments.trace.empty()) {
    if (Status status =
            check_kind(arguments.trace, {FileKind::kTrace}, "a trace, which copse record makes");
        !status.ok()) {
      return status;
    }
  }
  return check_call_graph_kind(arguments.graph);
}

Status about_trace(const StudyArguments& arguments, const Status& failure) {
  const std::string prefix = arguments.trace + ": ";
  return failure.message().starts_with(prefix) ? failure : failure.behind(prefix);
}

Result<PreparedStudy> prepare_study(const StudyArguments& arguments) {
  Result<std::unique_ptr<trace::EventSource>> source = trace::open_trace(arguments.trace);
  if (!source.ok()) return source.status();
  auto stream = std::make_unique<study::OpStream>(**source, arguments.events);
  Result<study::Survey> survey = study::survey_stream(*stream, arguments.samples);
  if (!survey.ok()) return about_trace(arguments, survey.status());
  study::ConfigOptions options;
  options.withhold = arguments.withhold;
  options.withhold_entries = arguments.withhold_entries;
  options.seed = arguments.samples.seed;
  options.max_codes = std::uint64_t{1} << arguments.max_code_bits;
  const std::vector<MethodName>& methods = (*source)->methods();
  if (!arguments.graph.empty()) {
    const Result<graph::NamedGraph> named = graph::read_named_graph(arguments.graph);
    if (!named.ok()) return named.status();
    Result<graph::NumberedGraph> numbered = graph::numbered_graph(*named, methods);
    if (!numbered.ok()) return numbered.status().behind(arguments.graph + ": ");
    options.graph = std::move(numbered->graph);
  }
  study::CheckOptions check;
  check.most_bytes = arguments.max_megabytes * 1'000'000;
  check.context_text = ContextText(methods);
  study::SchemeConfig config(options, methods);
  return PreparedStudy{std::move(*source),
                       std::move(stream),
                       std::move(*survey),
                       std::move(options),
                       std::move(config),
                       printable(arguments.trace),
                       check};
}

}  // namespace copse::cli
