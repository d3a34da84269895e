// copse merge FILE... -o ALL: the sum of several reports.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "agent/output_path.h"
#include "cli/commands.h"
#include "cli/id_rule_options.h"
#include "cli/look/kept_reports.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct MergeArguments {
  std::vector<std::string> inputs;
  std::string output;
  IdRuleOptions id_rules;
};

int merge(const MergeArguments& arguments) {
  if (Status status = report::check_report_ending(arguments.output); !status) {
    return failure(status);
  }
  for (const std::string& input : arguments.inputs) {
    if (Status status =
            agent::check_replaces_none(arguments.output, {{input, "a report that is read"}});
        !status) {
      return failure(status);
    }
  }
  if (Status status = agent::check_writable(arguments.output); !status) {
    return failure(status);
  }
  auto progress = std::make_unique<Progress>("reading " + arguments.inputs.front());
  Result<report::ReportModel> sum =
      read_sum(arguments.inputs, arguments.id_rules.rules(), SingleReport::kMerged, *progress);
  if (!sum.ok()) {
    progress.reset();
    return failure(sum);
  }
  progress->now("writing " + arguments.output);
  const Status status = report::write_report_file(*sum, arguments.output);
  progress.reset();
  return status.ok() ? 0 : failure(status);
}

}  // namespace

void add_merge_command(CLI::App& app, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("merge", "Add reports of several runs up, context by context");
  const auto arguments = std::make_shared<MergeArguments>();
  command->add_option("files", arguments->inputs, "Reports to read, JSON")->required();
  command
      ->add_option("-o,--output", arguments->output,
                   "File for the sum; its ending decides the format")
      ->type_name("FILE")
      ->required();
  add_id_rule_options(*command, arguments->id_rules);
  command->callback([arguments, &exit_status] { exit_status = merge(*arguments); });
}

}  // namespace copse::cli
