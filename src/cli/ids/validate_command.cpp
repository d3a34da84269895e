// copse validate TRACE: every encoder's decode against the true context.
// copse validate -- COMMAND: a running program's context ids against its calls and its JVM's stack.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "agent/options.h"
#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/ids/live_validation.h"
#include "cli/messages.h"
#include "cli/program_options.h"
#include "cli/progress.h"
#include "cli/standard_output.h"
#include "cli/study_options.h"
#include "encoders/replay/state_file.h"
#include "encoders/study/counterexample_trace.h"
#include "encoders/study/reports.h"
#include "report/model/output.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

constexpr std::uint64_t kMostSamplesChecked = 1 << 17;

struct ValidateArguments : StudyArguments {
  // Where the counterexample goes; "": beside the trace, and only when a claim is broken.
  std::string failure;
  std::string save;          // folder for state files and tokens, "" for none
  agent::AgentOptions live;  // of a command, but for encoder and graph
  bool quiet = false;        // likewise
};

constexpr const char* kLiveReport = "copse-validate-%c-%p.json";

// NAME.state, what another process needs to decode, and NAME.tokens, one a line, for copse decode.
Status save_encoder(const std::string& folder, const encoders::EncoderConfig& config,
                    const std::vector<MethodName>& methods, const encoders::EncoderInfo& scheme,
                    const encoders::Encoder& encoder, const study::TokenStore& tokens) {
  if (!scheme.decodes) return {};
  const std::string path = folder + "/" + std::string(scheme.name);
  if (Status status = encoders::save_state_file(path + ".state", scheme, config, encoder, methods);
      !status.ok()) {
    return status;
  }
  report::AtomicFile file(path + ".tokens");
  for (std::size_t i = 0; i < tokens.size(); ++i) file.put(tokens.token(i).hex() + "\n");
  return file.commit();
}

// The first encoder that breaks its claim; when none does, the first that fails at all.
const study::EncoderCheck* to_shrink(const std::vector<study::EncoderCheck>& rows) {
  const study::EncoderCheck* any = nullptr;
  for (const study::EncoderCheck& row : rows) {
    if (!row.failure) continue;
    if (!row.holds()) return &row;
    if (any == nullptr) any = &row;
  }
  return any;
}

Status write_counterexample(PreparedStudy& prepared, const study::EncoderCheck& row,
                            const std::string& path, std::string& said) {
  const auto found = study::shrink_failure(*prepared.stream, prepared.survey, row, prepared.config);
  if (!found.ok()) return found.status();
  const Result<std::string> text =
      study::counterexample_trace(*found, *row.info, prepared.source->methods(), prepared.config);
  if (!text.ok()) return text.status();
  report::AtomicFile file(path);
  file.put(*text);
  if (Status status = file.commit(); !status.ok()) return status;
  said = "\n" + std::string(row.info->name) + " still fails after " +
         counted(found->calls, "call") + ": " + printable(path) + "\n";
  return {};
}

int validate_command(const CLI::App& command, const ValidateArguments& arguments,
                     const std::vector<std::string>& program) {
  if (!arguments.trace.empty()) {
    return usage_error("validate: " + arguments.trace +
                       ": a trace or a command, not both; leave one of them out");
  }
  if (Status status = check_none_of(command, kOfTraces); !status) {
    return failure(status);
  }
  agent::AgentOptions wanted = arguments.live;
  auto& ids = std::get<agent::ValidateOptions>(wanted.mode);
  ids.graph = arguments.graph;
  if (arguments.encoders.size() > 1) {
    return usage_error("validate: a command runs with one --encoder");
  }
  if (!arguments.encoders.empty()) ids.encoder = arguments.encoders.front();
  const bool is_live =
      std::ranges::find(agent::encoder_names(), ids.encoder) != agent::encoder_names().end();
  if (!is_live) {
    return usage_error("validate: --encoder " + ids.encoder +
                       ": has no ids that can be checked while a program runs; record a trace");
  }
  if (Status status = agent::check_run_files(wanted.out, agent::has_id_file(wanted), "", ids.graph);
      !status) {
    return failure(status);
  }
  if (Status status = report::check_report_ending(wanted.out); !status) {
    return failure(status);
  }
  if (Status status = check_study_inputs(arguments); !status.ok()) {
    return failure(status);
  }
  return validate_live(program, wanted, arguments.quiet);
}

Status check_replaces_no_input(const ValidateArguments& arguments) {
  const auto check = [&](const std::string& output) {
    return agent::check_replaces_none(output, {{arguments.trace, "the trace that is read"},
                                               {arguments.graph, "the call graph that is read"}});
  };
  Status status = check(arguments.failure);
  if (arguments.save.empty()) return status;
  for (const std::string& name : arguments.encoders) {
    if (status.ok()) status = check(arguments.save + "/" + name + ".state");
    if (status.ok()) status = check(arguments.save + "/" + name + ".tokens");
  }
  return status;
}

bool has_tokens_that_decode(const std::string& encoder) {
  return encoders::find_encoder(encoder)->decodes;
}

// Before the work, which may take long.
Status check_outputs(const ValidateArguments& arguments) {
  Status status;
  if (!arguments.save.empty()) status = agent::check_writable(arguments.save + "/segment.state");
  if (status.ok() && !arguments.failure.empty()) status = agent::check_writable(arguments.failure);
  return status;
}

int validate(const CLI::App& command, ValidateArguments& arguments) {
  if (arguments.trace.empty()) {
    return usage_error(
        "validate: no trace and no command; write copse validate TRACE, or copse "
        "validate -- COMMAND [ARG...]");
  }
  if (Status status = check_none_of(command, kOfPrograms); !status) {
    return failure(status);
  }
  if (Status status = check_study_options(arguments); !status.ok()) {
    return failure(status);
  }
  if (Status status = check_study_effects(command, arguments, false); !status.ok()) {
    return failure(status);
  }
  if (!arguments.save.empty() &&
      std::none_of(arguments.encoders.begin(), arguments.encoders.end(), has_tokens_that_decode)) {
    return usage_error("--save: has no effect on encoders whose tokens do not decode");
  }
  if (Status status = check_replaces_no_input(arguments); !status.ok()) {
    return failure(status);
  }
  if (Status status = report::check_other_ending(arguments.failure, "a trace", ".txt",
                                                 {report::ReportFormat::kSummary});
      !status) {
    return failure(status);
  }
  if (Status status = check_outputs(arguments); !status.ok()) return failure(status);
  if (Status status = check_study_inputs(arguments); !status.ok()) {
    return failure(status);
  }
  auto progress = std::make_unique<Progress>("reading " + arguments.trace);
  Result<PreparedStudy> prepared = prepare_study(arguments);
  if (!prepared.ok()) {
    progress.reset();
    return failure(prepared);
  }
  const encoders::EncoderConfig config = prepared->config.config(prepared->survey.graph);
  if (!arguments.save.empty()) {
    prepared->check.when_done = [&](const auto&... results) {
      return save_encoder(arguments.save, config, prepared->source->methods(), results...);
    };
  }
  std::vector<study::EncoderCheck> rows;
  bool holds = prepared->survey.truth_mismatches == 0;
  for (const std::string& name : arguments.encoders) {
    progress->now("checking " + name);
    Result<study::EncoderCheck> row =
        study::check_encoder(*prepared->stream, prepared->survey, *encoders::find_encoder(name),
                             config, prepared->check);
    if (!row.ok()) {
      progress.reset();
      return failure(about_trace(arguments, row.status()));
    }
    holds = holds && row->holds();
    rows.push_back(std::move(*row));
  }
  std::string text = validation_text(figures_of(prepared->survey, prepared->trace_name,
                                                arguments.samples, prepared->config_options),
                                     rows);
  const study::EncoderCheck* shrunk = to_shrink(rows);
  if (arguments.failure.empty()) {
    if (shrunk != nullptr && shrunk->holds()) shrunk = nullptr;
    arguments.failure = arguments.trace + ".failure.txt";
  }
  Status written;
  if (shrunk != nullptr) {
    progress->now("shrinking the failure of " + std::string(shrunk->info->name));
    std::string said;
    written = write_counterexample(*prepared, *shrunk, arguments.failure, said);
    text += said;
  }
  progress.reset();
  const int printed = print_text(text);
  if (!written.ok()) return failure(written);
  return printed != 0 || holds ? printed : 1;
}

}  // namespace

void add_validate_command(CLI::App& app, const std::vector<std::string>& program,
                          int& exit_status) {
  CLI::App* command = app.add_subcommand(
      "validate", "Check that context ids decode to the contexts they stand for");
  command->footer(
      "A trace: compares what every encoder decodes with the true context.\n"
      "-- COMMAND: runs the program with one live encoder (--encoder; segment by\n"
      "default), and compares each id with the calls recorded beside it, call sites\n"
      "included; some also with the JVM's stack trace.\n"
      "Exits with status 1 on any mismatch.");
  const auto arguments = std::make_shared<ValidateArguments>();
  add_study_options(*command, *arguments, kMostSamplesChecked);
  command->get_option("trace")->required(false);
  agent::AgentOptions& live = arguments->live;
  live = agent::options_of_mode<agent::ValidateOptions>();
  live.out = kLiveReport;
  add_agent_options(*command, live,
                    {"out", "mark", "check-every", "stack-every", "selective", "include", "exclude",
                     "jdk", "packet"},
                    kOfPrograms);
  add_quiet(*command, arguments->quiet)->group(kOfPrograms);
  command->get_option("--output")->description("Report of its calls and of what was checked");
  command->get_option("--mark")->description(
      "Check at entries of these methods (all that keep an id); repeatable");
  command
      ->add_option(
          "--failure", arguments->failure,
          "Where to write the smallest text trace on which an encoder still fails, literal "
          "variants too; without it TRACE.failure.txt, and only if a claim is broken")
      ->type_name("OUT")
      ->group(kOfTraces);
  command
      ->add_option("--save", arguments->save,
                   "Write each encoder's NAME.state and NAME.tokens there, for copse decode")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory)
      ->group(kOfTraces);
  command->callback([command, arguments, &program, &exit_status] {
    exit_status = program.empty() ? validate(*command, *arguments)
                                  : validate_command(*command, *arguments, program);
  });
}

}  // namespace copse::cli
