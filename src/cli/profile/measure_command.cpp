// copse measure [--per GLOB] -- COMMAND: exact costs of one operation, and how far runs differ.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include "agent/output_path.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/passing_folder.h"
#include "cli/profile/operation_costs.h"
#include "cli/profile/repeated_run.h"
#include "cli/program_options.h"
#include "cli/standard_output.h"
#include "report/exports/json_text.h"
#include "report/model/text_lines.h"

namespace copse::cli {
namespace {

struct MeasureArguments {
  RunRequest request;
  std::string per;
  std::string output;  // "": standard output
  std::uint64_t runs = 3;
  std::size_t top = 5;
};

Status check(const MeasureArguments& arguments) {
  if (arguments.request.command.empty()) {
    return Status::error(
        Fault::kUsage,
        "measure: no command after --; write copse measure [options] -- COMMAND [ARG...]");
  }
  if (arguments.runs < 2) {
    return Status::error(Fault::kUsage, "--runs " + std::to_string(arguments.runs) +
                                            ": two runs at least show whether they differ");
  }
  const std::string& output = arguments.output;
  if (output.empty()) return check_agent_options(arguments.request.options);
  if (!output.ends_with(".json") && !output.ends_with(".txt")) {
    return Status::error(Fault::kUsage,
                         output + ": its ending tells no format; end it in .json or .txt");
  }
  if (Status status = agent::check_writable(output); !status) return status;
  return check_agent_options(arguments.request.options);
}

// Costs of the programs of the command's JVMs, in the order of their start.
class MeasuredPrograms {
 public:
  explicit MeasuredPrograms(std::string per) : per_(std::move(per)) {}

  void take(const std::string& program, std::size_t place, report::ReportModel run) {
    const auto found = std::ranges::find_if(programs_, [&](const Program& of) {
      return of.costs->program() == program && of.place == place;
    });
    Program& of = found != programs_.end()
                      ? *found
                      : programs_.emplace_back(
                            Program{place, std::make_unique<OperationCosts>(program, per_), {}});
    if (Status status = of.costs->add(std::move(run)); !status) of.trouble = status;
  }

  // Returns the programs that made operations in each run; an error if there are none.
  Result<std::vector<OperationCosts*>> measured() const {
    std::vector<OperationCosts*> measured;
    Status trouble = Status::error(Fault::kNotFound, "measure: no JVM made a recorded call");
    for (const Program& program : programs_) {
      const bool has_operations =
          program.trouble.ok() &&
          std::ranges::all_of(program.costs->runs(), [](const OperationCosts::RunAmounts& run) {
            return run.operations != 0 && run.amounts[0] != 0;
          });
      if (has_operations) {
        measured.push_back(program.costs.get());
      } else if (!program.trouble.ok()) {
        trouble = program.trouble;
      }
    }
    if (measured.empty()) return trouble;
    return measured;
  }

 private:
  struct Program {
    std::size_t place;  // among those of one run with the same name
    std::unique_ptr<OperationCosts> costs;
    Status trouble;
  };
  const std::string per_;
  std::vector<Program> programs_;
};

void write(const std::vector<OperationCosts*>& programs, const MeasureArguments& arguments,
           report::Output& out) {
  if (arguments.output.ends_with(".json")) {
    report::JsonText json(out);
    json.begin("", '{').field("schema", "copse.measure/1").begin("programs", '[');
    for (OperationCosts* program : programs) program->write_json(arguments.top, json);
    json.end(']').end('}');
    return;
  }
  const std::size_t width = arguments.output.empty() ? line_width() : report::TextLines::kUncut;
  for (OperationCosts* program : programs) program->write_text(arguments.top, width, out);
}

int measure(MeasureArguments& arguments) {
  if (const Status status = check(arguments); !status) return failure(status);
  agent::OutputPlace output(arguments.output, getpid());
  const PassingFolder folder;
  if (!folder.made()) return failure(folder.path() + ": cannot be made");
  agent::AgentOptions& options = arguments.request.options;
  options.out = folder.path() + "/%c.json";
  agent::part<agent::MeasureOptions>(options)->measures = {"calls", "alloc=exact", "exceptions",
                                                           "locks"};
  const bool quiet = arguments.request.quiet;
  arguments.request.quiet = true;
  MeasuredPrograms programs(arguments.per);
  const Result<RunEnd> ended = run_repeatedly(
      arguments.request, arguments.runs,
      [&](std::uint64_t run, const std::string& program, std::size_t place,
          const report::ReportModel& model) {
        if (!quiet && place == 1) {
          say("run " + std::to_string(run) + " of " + std::to_string(arguments.runs) + ": " +
              program);
        }
        programs.take(program, place, model);
      },
      [&] { return programs.measured().ok(); });
  if (const int status = exit_status_of(ended, false); status != 0) return status;
  const Result<std::vector<OperationCosts*>> measured = programs.measured();
  if (!measured.ok()) return failure(measured);
  if (arguments.output.empty()) {
    report::DescriptorOutput out(STDOUT_FILENO, "standard output");
    write(*measured, arguments, out);
    const Status status = out.finish();
    return status.ok() || out.reader_gone() ? 0 : failure(status);
  }
  const FolderLock lock(output.path());
  if (const std::string sentence = output.settle(); !sentence.empty()) say(sentence);
  report::AtomicFile file(output.path());
  write(*measured, arguments, file);
  const Status status = file.commit();
  return status.ok() ? 0 : failure(status);
}

}  // namespace

void add_measure_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  auto arguments = std::make_shared<MeasureArguments>();
  CLI::App* command = app.add_subcommand(
      "measure", "Count what one operation does, over several runs of a program");
  command
      ->add_option("--per", arguments->per,
                   "Method whose outermost call is an operation: Orders.total (without it a run is "
                   "one)")
      ->type_name("GLOB");
  command->add_option("--runs", arguments->runs, "Runs of the command")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number());
  command
      ->add_option("-o,--output", arguments->output,
                   "File to write instead of standard output: .json or .txt")
      ->type_name("FILE");
  command->add_option("--top", arguments->top, "Contexts of each measure")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number());
  add_agent_options(*command, arguments->request.options, {"include", "exclude", "jdk", "memory"});
  add_quiet(*command, arguments->request.quiet);
  command->footer(
      "Counts calls, bytes that recorded code allocates, exceptions and waits for\n"
      "monitors. The counts include what only a first call does (loading classes,\n"
      "filling caches).");
  command->callback([arguments, &program, &exit_status] {
    arguments->request.command = program;
    exit_status = measure(*arguments);
  });
}

}  // namespace copse::cli
