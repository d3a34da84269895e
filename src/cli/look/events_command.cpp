// copse events FILE: what an event file holds, summed, one by one, or as a report.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_map>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/joined_text.h"
#include "base/json_string.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/context_text.h"
#include "cli/file_kind.h"
#include "cli/look/event_sums.h"
#include "cli/messages.h"
#include "encoders/events/event_reader.h"
#include "report/model/measure_view.h"
#include "report/model/output.h"
#include "report/model/quantity.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct EventsArguments {
  std::string file;
  std::vector<std::string> kinds;  // of events, or words of --measure; none: all
  std::string format = "summary";
  std::string report;  // "": none
};

constexpr const char* kFormats[] = {"summary", "lines", "jsonl"};

// Kinds of a name of kinds, or of a word of --measure.
std::vector<events::EventKind> kinds_called(const std::string& name) {
  for (const events::EventKindInfo& info : events::kEventKindInfos) {
    if (info.name == name) return {info.kind};
  }
  return events::kinds_of_measure(name);
}

// The words of --measure, and kinds that no measure is called by.
std::vector<std::string> names_of_kinds() {
  std::vector<std::string> names = {std::string(events::info_of(events::EventKind::kMark).name)};
  for (const events::Measure& measure : events::kMeasures) {
    if (measure.kinds.size() != 0) names.emplace_back(measure.name);
  }
  for (const events::EventKindInfo& info : events::kEventKindInfos) {
    if (events::is_state(info.kind)) names.emplace_back(info.name);
  }
  return names;
}

CLI::Validator is_kind() {
  return CLI::Validator(
      [](const std::string& typed) {
        if (!kinds_called(typed).empty()) return std::string();
        const std::vector<std::string> names = names_of_kinds();
        return "'" + typed + "' is not one of " + joined_text(names) + did_you_mean(typed, names);
      },
      // As CLI::IsMember() has it, for help and completions.
      "{" + joined_text(names_of_kinds(), ",") + "}");
}

std::string quoted(std::string text) {
  make_valid_utf8(text);
  std::string json;
  append_json_string(json, text);
  return json;
}

// One line per event.
class EventLines {
 public:
  EventLines(const events::EventReader& file, bool json, report::Output& out)
      : file_(file), json_(json), text_(file.methods()), out_(out) {
    if (!json_) out_.put("time_s\tthread\tkind\tcount\tweight\tid\tcontext\tline\tstarted_by\n");
  }

  void put(ThreadIndex thread, const events::FileEvent& event) {
    const trace::ThreadInfo* info = file_.thread(thread);
    const std::string name = info == nullptr ? "" : info->name;
    const std::int64_t thread_id = info == nullptr ? 0 : info->runtime_id;
    const std::string_view kind = events::info_of(event.kind).name;
    // As Java prints it.
    const auto id = static_cast<std::int64_t>(file_.contexts()[event.context].id);
    const std::string context = event.context == 0 ? "" : text_(path_of(event.context));
    const std::string& started_by = starts_to(thread_id);
    const std::int32_t line = line_of(event);
    if (json_) {
      out_.put(fmt::format(
          R"({{"time_ns":{},"thread":{},"thread_id":{},"kind":"{}","count":{},"weight":{},"id":{},"context":{},"line":{},"started_by":{}}})",
          event.time_ns, quoted(name), thread_id, kind, event.count, event.weight, id,
          quoted(context), line, quoted(started_by)));
    } else {
      out_.put(fmt::format("{}.{:09}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                           event.time_ns / 1'000'000'000, event.time_ns % 1'000'000'000,
                           printable(name), kind, event.count, event.weight, id,
                           context.empty() ? "?" : context, line, started_by));
    }
    out_.put('\n');
  }

 private:
  // Contexts of the starts that lead to a thread, as copse decode ID@THREAD has them in front of the thread's own; ""
  // if nothing told of its start.
  const std::string& starts_to(std::int64_t thread) {
    const auto [found, is_new] = started_by_.try_emplace(thread);
    if (!is_new) return found->second;
    for (const events::ThreadStart& start : file_.starts_to(thread)) {
      if (!found->second.empty()) found->second += ';';
      if (start.context != 0) found->second += text_(path_of(start.context), start.site) + ';';
      found->second += fmt::format("(starts thread {})", start.thread);
    }
    return found->second;
  }

  // 0: unknown.
  std::int32_t line_of(const events::FileEvent& event) const {
    const std::uint32_t method = raw(method_of(file_.contexts()[event.context].key));
    if (event.site == kNoSite || method >= file_.methods().size()) return 0;
    const std::vector<SiteName>& sites = file_.methods()[method].sites;
    return raw(event.site) <= sites.size() ? std::max(sites[raw(event.site) - 1u].line, 0) : 0;
  }

  CallPath path_of(std::uint32_t context) const {
    CallPath path;
    for (; context != 0; context = file_.contexts()[context].parent) {
      const events::FileContext& at = file_.contexts()[context];
      const MethodId caller = method_of(file_.contexts()[at.parent].key);
      path.push_back(edge_key({caller, site_of(at.key)}, method_of(at.key)));
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  const events::EventReader& file_;
  const bool json_;
  const ContextText text_;
  report::Output& out_;
  std::unordered_map<std::int64_t, std::string> started_by_;
};

// Weights of samples are estimates.
bool is_sampled(events::EventKind kind) {
  using events::EventKind;
  return kind == EventKind::kCpu || kind == EventKind::kCpuCorrected ||
         kind == EventKind::kCpuNative || kind == EventKind::kAllocation || events::is_state(kind);
}

void put_summary(const events::EventReader& file, const EventSums& sums, report::Output& out) {
  constexpr const char* kRow = "{:<17}{:>16}{:>16}{:>12}\n";
  out.put(fmt::format(kRow, "kind", "events", "amount", "lost"));
  for (const events::EventKindInfo& info : events::kEventKindInfos) {
    const EventSums::Kind& kind = sums.of(info.kind);
    std::uint64_t lost = kind.without_context;
    if (file.end()) {
      const events::EventTotals& totals = file.end()->totals[static_cast<std::size_t>(info.kind)];
      lost += totals.seen - totals.in_file;
    }
    if (kind.events == 0 && kind.weight == 0 && lost == 0) continue;
    const std::string amount =
        info.weight.empty()
            ? "-"
            : report::in_words(report::unit_named(info.weight_unit), kind.weight,
                               is_sampled(info.kind) ? kind.events : report::kExact);
    out.put(fmt::format(kRow, info.name, grouped(kind.events), amount, grouped(lost)));
  }
  out.put(fmt::format("{} with events, {}\n", counted(file.threads().size(), "thread"),
                      counted(sums.contexts(file), "context")));
}

// Damage the file tells of where it stops, after what stands before it.
Status read_all(events::EventReader& file, const EventsArguments& arguments, EventSums& sums,
                report::Output& out) {
  std::optional<EventLines> lines;
  if (arguments.format != "summary") lines.emplace(file, arguments.format == "jsonl", out);
  std::vector<events::EventKind> wanted;
  for (const std::string& name : arguments.kinds) {
    std::ranges::copy(kinds_called(name), std::back_inserter(wanted));
  }
  const auto is_wanted = [&](events::EventKind kind) {
    return wanted.empty() || std::ranges::find(wanted, kind) != wanted.end();
  };
  while (!out.failed()) {
    const Result<std::optional<events::FileEventBatch>> batch = file.next();
    if (!batch.ok()) return batch.status();
    if (!batch->has_value()) break;
    for (const events::FileEvent& event : (*batch)->events) {
      if (!is_wanted(event.kind)) continue;
      sums.add(event);
      if (lines) lines->put((*batch)->thread, event);
    }
  }
  return {};
}

// Returns an error for kinds that the run was not to record, if the file has no events of them.
Status check_recorded(const events::EventReader& file, const EventSums& sums,
                      const EventsArguments& arguments) {
  if (!file.program()) return {};
  const std::vector<events::EventKind> asked = kinds_asked_for(file.program()->options);
  std::vector<std::string> columns;
  for (const events::EventKind kind : asked) {
    for (const std::string_view column :
         {events::info_of(kind).weight, events::info_of(kind).count}) {
      if (!column.empty()) columns.emplace_back(column);
    }
  }
  for (const std::string& name : arguments.kinds) {
    const std::vector<events::EventKind> kinds = kinds_called(name);
    const bool is_recorded = std::ranges::any_of(kinds, [&](events::EventKind kind) {
      return kind == events::EventKind::kMark || sums.of(kind).events != 0 ||
             std::ranges::find(asked, kind) != asked.end();
    });
    if (is_recorded) continue;
    const std::string_view column = events::info_of(kinds.front()).count;
    return Status::error(Fault::kNotFound,
                         arguments.file + ": --kind " + name + ": " +
                             report::absent_measure(report::is_known_measure(name) ? name : column,
                                                    columns, "this event file"));
  }
  return {};
}

int events(const EventsArguments& arguments) {
  if (!arguments.report.empty()) {
    if (const Status status = agent::check_replaces_none(
            arguments.report, {{arguments.file, "the event file that is read"}});
        !status) {
      return failure(status);
    }
    if (const Status status = report::check_report_ending(arguments.report); !status) {
      return failure(status);
    }
    if (const Status status = agent::check_writable(arguments.report); !status) {
      return failure(status);
    }
  }
  if (Status status = check_kind(arguments.file, {FileKind::kEventFile}, "an event file");
      !status) {
    return failure(status);
  }
  Result<std::unique_ptr<wire::ByteSource>> bytes = wire::open_file(arguments.file);
  if (!bytes.ok()) return failure(bytes);
  // "copse events ... | head" is no error: the write fails, and we end.
  report::DescriptorOutput out(STDOUT_FILENO, "standard output");
  events::EventReader file(std::move(bytes).value());
  EventSums sums;
  const Status damage = read_all(file, arguments, sums, out);
  // A file that is no event file has nothing to show.
  if (!damage.ok() && !file.program()) return failure(damage);
  if (arguments.format == "summary") put_summary(file, sums, out);
  const Status shown = out.finish();
  if (!shown.ok()) return out.reader_gone() ? 0 : failure(shown);
  if (const Status recorded = check_recorded(file, sums, arguments); !recorded) {
    return failure(recorded);
  }
  if (!arguments.report.empty()) {
    Result<report::ReportModel> report = sums.report(file, damage);
    if (report.ok() && !arguments.kinds.empty()) {
      report->notes.push_back(
          fmt::format("Of the file's events only those of --kind {} are counted.",
                      joined_text(arguments.kinds)));
    }
    const Status written =
        report.ok() ? report::write_report_file(*report, arguments.report) : report.status();
    if (!written) return failure(written);
  }
  return damage.ok() ? 0 : failure(damage);
}

}  // namespace

void add_events_command(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<EventsArguments>();
  CLI::App* command =
      app.add_subcommand("events", "Show the events that copse ids --event-file wrote");
  command->add_option("file", arguments->file, "Event file; also one that a killed program left")
      ->required();
  command->add_option("--kind", arguments->kinds, "Only events of this kind; repeatable")
      ->check(is_kind())
      ->type_name("KIND")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--format", arguments->format, "Sums, or each event as a line of text or JSON")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kFormats), std::end(kFormats))))
      ->type_name("summary|lines|jsonl")
      ->capture_default_str();
  command
      ->add_option("--report", arguments->report,
                   "Also write the sums by context as a report; the ending decides the format")
      ->type_name("FILE");
  command->callback([arguments, &exit_status] { exit_status = events(*arguments); });
}

}  // namespace copse::cli
