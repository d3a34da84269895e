// copse import --clickhouse URL -o FILE: the runs of a fleet as one report.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "fleet/import_slice.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct ImportArguments {
  std::string url;
  std::string output;
  fleet::Slice slice;
};

int import(const ImportArguments& arguments) {
  Result<fleet::Server> server = fleet::Server::at(arguments.url);
  if (!server.ok()) return usage_error("--clickhouse " + server.message());
  for (const Status& status :
       {fleet::check_slice(arguments.slice), report::check_report_ending(arguments.output)}) {
    if (!status.ok()) return usage_error(status.message());
  }
  if (const Status status = agent::check_writable(arguments.output); !status) {
    return failure(status.message());
  }
  auto progress = std::make_unique<Progress>("reading from " + server->name());
  Result<report::ReportModel> model = fleet::read_slice(*server, arguments.slice);
  if (model.ok()) model->created_by = "copse " COPSE_VERSION;
  Status status = model.ok() ? report::write_report_file(*model, arguments.output) : model.status();
  progress.reset();  // the line must be gone before anything else is said
  if (!status) return failure(status.message());
  fmt::print(stderr, "copse: {} in {}, {} lost: {}\n", counted(model->totals.calls, "call"),
             counted(model->totals.contexts, "context"), grouped(model->totals.calls_lost),
             printable(arguments.output));
  return 0;
}

}  // namespace

void add_import_command(CLI::App& app, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("import", "Make one report of a fleet's runs, on ClickHouse");
  const auto arguments = std::make_shared<ImportArguments>();
  command
      ->add_option("--clickhouse", arguments->url,
                   "Server of the fleet, any, http://USER:PASSWORD@HOST:8123/DATABASE")
      ->type_name("URL")
      ->required();
  command
      ->add_option("-o,--output", arguments->output,
                   "File for the report; its ending decides the format")
      ->type_name("FILE")
      ->required();
  command->add_option("--service", arguments->slice.service, "Only runs of this service (all)")
      ->type_name("NAME");
  command->add_option("--version", arguments->slice.version, "Only runs of this version (all)")
      ->type_name("VERSION");
  command
      ->add_option("--since", arguments->slice.since,
                   "Only runs of this day and later, as 2026-11-23")
      ->type_name("DAY");
  command->add_option("--until", arguments->slice.until, "Only runs of this day and earlier")
      ->type_name("DAY");
  command->callback([arguments, &exit_status] { exit_status = import(*arguments); });
}

}  // namespace copse::cli
