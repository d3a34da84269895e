// copse export --clickhouse URL FILE...: reports of runs, added to those of a fleet.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "agent/options.h"
#include "base/grouped.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "compare/identity/run_ranges.h"
#include "fleet/export_run.h"
#include "report/model/json_reader.h"

namespace copse::cli {
namespace {

struct ExportArguments {
  std::vector<std::string> files;
  std::vector<std::string> urls;
  fleet::RunLabels labels;
  std::string retry = "30s";
  bool quiet = false;
};

Status send_file(const std::string& file, std::vector<fleet::Server>& servers,
                 const ExportArguments& arguments, std::chrono::seconds patience) {
  if (Status status = check_kind(file, {FileKind::kReport}, "a report as JSON"); !status) {
    return status;
  }
  auto progress = std::make_unique<Progress>("reading " + file);
  Result<report::ReportModel> model = report::read_json_file(file);
  if (!model.ok()) return model.status();
  const std::uint64_t runs = model->program.runs;
  const bool had_ranges = identity::drop_ranges(*model);
  progress->now("sending " + file);
  const Result<fleet::RunRows> rows = fleet::rows_of_run(*model, arguments.labels);
  if (!rows.ok()) return rows.status().behind(file + ": ");
  const Result<fleet::Sent> sent = fleet::send_run(servers, *rows, arguments.labels, patience);
  progress.reset();  // the line must be gone before anything else is said
  if (!sent.ok()) {
    return Status::error(sent.fault(), file + ": not sent: " + sent.message() +
                                           "; it can be sent again, and counts once");
  }
  if (!arguments.quiet) {
    fmt::print("{}: {}, {} in {}: {}{}\n", printable(file),
               sent->was_there ? "was there before" : "added", counted(model->totals.calls, "call"),
               counted(model->totals.contexts, "context"), printable(sent->server),
               had_ranges ? "; the first of its " + counted(runs, "run") +
                                ", without what contexts had least and most"
                          : "");
  }
  return {};
}

int export_files(const ExportArguments& arguments) {
  std::vector<fleet::Server> servers;
  for (const std::string& url : arguments.urls) {
    Result<fleet::Server> server = fleet::Server::at(url);
    if (!server.ok()) return failure(server.status().behind("--clickhouse "));
    servers.push_back(std::move(*server));
  }
  const Result<std::uint64_t> time = agent::parse_period(arguments.retry);
  if (!time.ok()) return failure(time.status().behind("--retry: "));
  const std::chrono::seconds patience(*time / 1000);
  for (const std::string& file : arguments.files) {
    if (const Status status = send_file(file, servers, arguments, patience); !status) {
      return failure(status);
    }
  }
  return 0;
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand("export", "Add reports to a fleet's, on ClickHouse");
  const auto arguments = std::make_shared<ExportArguments>();
  command->add_option("file", arguments->files, "Reports to send, JSON")->required();
  command
      ->add_option("--clickhouse", arguments->urls,
                   "Server, http://USER:PASSWORD@HOST:8123/DATABASE; repeatable: all shards")
      ->type_name("URL")
      ->required()
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--service", arguments->labels.service, "What the program is called")
      ->type_name("NAME")
      ->required();
  command->add_option("--version", arguments->labels.version, "Which version of it ran")
      ->type_name("VERSION")
      ->required();
  command
      ->add_option("--retry", arguments->retry,
                   "How long to try again while a server is down (30s)")
      ->type_name("TIME");
  command->add_flag("-q,--quiet", arguments->quiet, "Do not say what was sent");
  command->callback([arguments, &exit_status] { exit_status = export_files(*arguments); });
}

}  // namespace copse::cli
