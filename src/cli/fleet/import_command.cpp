// copse import: a report of what is none yet, the runs of a fleet or another tool's profile.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/look/samples_file.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "fleet/import_selection.h"
#include "import/imported_report.h"
#include "import/join.h"
#include "report/model/measure_view.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct ImportArguments {
  std::string file;  // "": of a fleet
  std::string counts_are;
  std::string url;
  std::string output;
  fleet::Selection selection;
  std::string where;  // becomes the selection's
};

// Returns an error if the arguments do not fit together.
Status check_import(const ImportArguments& arguments) {
  const fleet::Selection& selection = arguments.selection;
  if (arguments.file.empty() == arguments.url.empty()) {
    return Status::error(Fault::kUsage, arguments.file.empty()
                                            ? "import: needs FILE or --clickhouse URL"
                                            : "import: takes FILE or --clickhouse URL, not both");
  }
  if (arguments.url.empty()) {
    for (const auto& [option, value] : {std::pair{"--service", &selection.service},
                                        {"--version", &selection.version},
                                        {"--since", &selection.since},
                                        {"--until", &selection.until},
                                        {"--where", &arguments.where}}) {
      if (!value->empty()) {
        return Status::error(Fault::kUsage,
                             std::string(option) + ": has no effect without --clickhouse");
      }
    }
  } else if (!arguments.counts_are.empty()) {
    return Status::error(Fault::kUsage, "--as: has no effect with --clickhouse");
  }
  if (!arguments.counts_are.empty()) {
    if (Status status = join::check_measure_spelling(arguments.counts_are); !status) {
      return status.behind("--as: ");
    }
  }
  if (Status status = fleet::check_selection(selection); !status) return status;
  const std::string read = arguments.file == kStandardInput ? "" : arguments.file;
  if (Status status =
          agent::check_replaces_none(arguments.output, {{read, "the profile that is read"}});
      !status) {
    return status;
  }
  return report::check_report_ending(arguments.output);
}

// Adds to `said` sentences on what the shown measure is, and on what the file lacks.
Result<report::ReportModel> read_profile(const ImportArguments& arguments,
                                         std::vector<std::string>& said) {
  if (Status status = check_samples_kind(
          arguments.file, "a profile of pprof, collapsed stacks or a flight recording");
      !status) {
    return status;
  }
  const Result<join::SampledStacks> stacks =
      read_samples_file(arguments.file, join::FrameReading::kAll);
  if (!stacks.ok()) return stacks.status();
  const std::string file = name_of_samples(arguments.file);
  if (!arguments.counts_are.empty() && !stacks->origin.has_plain_counts) {
    return Status::error(Fault::kRefused, file + ": --as: is " + stacks->origin.what +
                                              ", which says itself what it counts");
  }
  const std::string name = file.substr(file.rfind('/') + 1);  // npos + 1 is the start
  Result<report::ReportModel> model = join::imported_report(*stacks, name, arguments.counts_are);
  if (!model.ok()) return model.status().behind(file + ": ");
  for (const auto* const notes : {&stacks->values()[stacks->shown].notes, &stacks->origin.notes}) {
    said.insert(said.end(), notes->begin(), notes->end());
  }
  return model;
}

void say_what_was_read(const report::ReportModel& model, const std::vector<std::string>& said,
                       const std::string& output) {
  const report::MeasureView shown = report::shown_measure(model);
  const bool is_count = shown.unit == report::Unit::kCount;
  const std::string amount = shown.is_calls() ? counted(shown.total, "call")
                                              : report::in_words(shown.unit, shown.total) +
                                                    (is_count ? " " : " of ") + shown.words;
  say(fmt::format("{} in {}, {} lost: {}", amount, counted(model.totals.contexts, "context"),
                  grouped(shown.lost), output));
  for (const std::string& note : said) say(note);
}

int import(ImportArguments& arguments) {
  if (const Status status = check_import(arguments); !status) return failure(status);
  if (!arguments.where.empty()) {
    Result<fleet::SelectionCondition> where = fleet::SelectionCondition::parse(arguments.where);
    if (!where.ok()) return failure(where.status().behind("--where: "));
    arguments.selection.where = std::move(*where);
  }
  std::optional<fleet::Server> server;
  if (!arguments.url.empty()) {
    Result<fleet::Server> named = fleet::Server::at(arguments.url);
    if (!named.ok()) return failure(named.status().behind("--clickhouse "));
    server = std::move(*named);
  }
  if (const Status status = agent::check_writable(arguments.output); !status) {
    return failure(status);
  }
  auto progress = std::make_unique<Progress>(
      "reading " + (server ? "from " + server->name() : name_of_samples(arguments.file)));
  std::vector<std::string> said;
  Result<report::ReportModel> model =
      server ? fleet::read_selection(*server, arguments.selection) : read_profile(arguments, said);
  if (model.ok()) model->created_by = std::string("copse ") + kVersion;
  const Status status =
      model.ok() ? report::write_report_file(*model, arguments.output) : model.status();
  progress.reset();  // the line must be gone before anything else is said
  if (!status) return failure(status);
  say_what_was_read(*model, said, arguments.output);
  return 0;
}

}  // namespace

void add_import_command(CLI::App& app, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("import", "Make a report of a fleet's runs, or of another tool's profile");
  const auto arguments = std::make_shared<ImportArguments>();
  command
      ->add_option("file", arguments->file,
                   "Profile of pprof, collapsed stacks, or a flight recording (of JFR, or what jfr "
                   "print --json makes of it); told by content, gzip or not; - is standard input")
      ->type_name("FILE");
  command
      ->add_option("--as", arguments->counts_are,
                   "What the counts of collapsed stacks are: calls, cpu_ns, ... (samples)")
      ->type_name("NAME");
  command
      ->add_option("--clickhouse", arguments->url,
                   "Server of the fleet, any, http://USER:PASSWORD@HOST:8123/DATABASE")
      ->type_name("URL");
  command
      ->add_option("-o,--output", arguments->output,
                   "File for the report; its ending decides the format")
      ->type_name("FILE")
      ->required();
  command->add_option("--service", arguments->selection.service, "Only runs of this service (all)")
      ->type_name("NAME");
  command->add_option("--version", arguments->selection.version, "Only runs of this version (all)")
      ->type_name("VERSION");
  command
      ->add_option("--since", arguments->selection.since,
                   "Only runs of this day and later, as 2026-11-23")
      ->type_name("DAY");
  command->add_option("--until", arguments->selection.until, "Only runs of this day and earlier")
      ->type_name("DAY");
  command
      ->add_option(
          "--where", arguments->where,
          "Only runs for which this is true: day >= 2026-11-01 AND version IN ('2.0', '2.1')")
      ->type_name("CONDITION");
  command->callback([arguments, &exit_status] { exit_status = import(*arguments); });
}

}  // namespace copse::cli
