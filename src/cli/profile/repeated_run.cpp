#include "cli/profile/repeated_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "agent/output_path.h"
#include "cli/messages.h"
#include "cli/passing_folder.h"
#include "compare/identity/run_ranges.h"
#include "report/model/json_reader.h"
#include "report/model/report_stats.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

namespace fs = std::filesystem;

using agent::FileNote;

// Format of the agents' reports: JSON, whatever the user's format.
constexpr std::string_view kJson = ".json";

// A pattern that expands to the text.
std::string literal_pattern(const std::string& text) {
  std::string pattern;
  for (const char letter : text) pattern.append(letter == '%' ? 2 : 1, letter);
  return pattern;
}

// As claim_output_path() does.
std::string with_suffix(const std::string& name, const std::string& suffix) {
  const fs::path path(name);
  return path.stem().string() + suffix + path.extension().string();
}

struct JvmReport {
  FileNote note;
  std::string name;  // of the file that the user wants
  report::ReportModel model;
};

// The file's name without the ending that we gave it. Where it was another JVM's, the number of the
// process that it got instead goes before the user's own ending.
std::string wanted_name(const std::string& path, const std::vector<agent::Note>& notes) {
  std::string name = fs::path(path).filename().string();
  name.resize(name.size() - kJson.size());
  const bool is_its_own = std::ranges::any_of(notes, [&](const agent::Note& note) {
    const auto* claim = std::get_if<agent::ClaimNote>(&note);
    return claim != nullptr && claim->path == path;
  });
  const std::size_t dash = name.rfind('-');
  if (is_its_own || dash == std::string::npos) return name;
  return with_suffix(name.substr(0, dash), name.substr(dash));
}

// In the order in which the JVMs started; of those of one second by their numbers.
Result<std::vector<JvmReport>> read_reports(const std::vector<agent::Note>& notes) {
  std::vector<JvmReport> reports;
  for (const agent::Note& note : notes) {
    const auto* file = std::get_if<FileNote>(&note);
    if (file == nullptr) continue;
    Result<report::ReportModel> model = report::read_json_file(file->path);
    if (!model.ok()) return model.status();
    reports.push_back({*file, wanted_name(file->path, notes), std::move(model).value()});
  }
  std::ranges::stable_sort(reports, {}, [](const JvmReport& report) {
    const report::ReportModel::Program& program = report.model.program;
    return std::pair(program.started, program.pid);  // started: to the second
  });
  return reports;
}

bool tells_of_trouble(const agent::Note& note) {
  if (std::holds_alternative<agent::UnwrittenNote>(note)) return true;
  const auto* text = std::get_if<agent::TextNote>(&note);
  return text != nullptr && (text->kind == agent::TextNote::Kind::kFailed ||
                             text->kind == agent::TextNote::Kind::kWarning);
}

class RepeatedRun {
 public:
  RepeatedRun(const RunRequest& request, std::uint64_t runs, const OnReport& on_report,
              const std::function<bool()>& goes_on)
      : request_(request),
        runs_(runs),
        on_report_(on_report),
        goes_on_(goes_on),
        folder_of_output_(folder_of(request.options.out)),
        files_before_(states_of_files_in(folder_of_output_)) {}

  Result<RunEnd> made() {
    if (!folder_.made()) {
      return Status::error(Fault::kSystem,
                           folder_.path() + ": cannot be made: " + std::strerror(errno));
    }
    const std::string output = agent::path_of_pattern(request_.options.out);
    if (Status status = agent::check_writable(output); !status) return status;
    const SignalsKept signals;
    RunEnd end;
    for (std::uint64_t run = 1; run <= runs_; ++run) {
      Result<RunEnd> ended = run_program(request_of(run));
      if (!ended.ok()) return ended;
      if (!ended->command.not_started.empty()) return ended;
      if (run == 1 || end.command.exit_status == 0) end.command = ended->command;
      end.words = ended->words;
      const int signal = SignalsKept::last();
      if (signal != 0 && end.command.exit_status == 0) end.command.exit_status = 128 + signal;
      if (signal == 0 || run == 1) {
        if (Status status = take(run, *ended); !status) return status;
      }
      if (signal == 0 && goes_on_ && !goes_on_()) break;
      if (signal == 0) continue;
      if (run > 1) say_interrupted(run);
      break;
    }
    if (Status status = write_reports(); !status) return status;
    end.notes = std::move(notes_);
    end.is_empty = tell_of_nothing(end.notes);
    end.quiet = request_.quiet;
    if (!request_.quiet) say_end(end);
    return end;
  }

 private:
  // The JVMs of all runs that belong together.
  struct Group {
    std::string program;
    std::size_t place = 0;  // among those of one run that ran the same program
    FileNote note;          // of the first
    std::string name;       // of the report's file
    identity::RunRanges ranges;
  };

  static std::string folder_of(const std::string& pattern) {
    const std::string path = agent::absolute_pattern(pattern);
    return agent::path_of_pattern(path.substr(0, path.rfind('/') + 1));
  }

  // By path.
  static std::map<std::string, std::string> states_of_files_in(const std::string& folder) {
    std::map<std::string, std::string> states;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string path = folder + entry.path().filename().string();
      states.emplace(path, agent::OutputPlace(path, 0).state());
    }
    return states;
  }

  RunRequest request_of(std::uint64_t run) const {
    const std::string& out = request_.options.out;
    RunRequest request = request_;
    request.quiet = true;
    request.options.max_contexts.reset();  // of the report of all
    request.options.out = literal_pattern(folder_.path() + "/") + std::to_string(run);
    std::error_code error;
    fs::create_directory(agent::path_of_pattern(request.options.out), error);
    request.options.out += "/" + out.substr(out.rfind('/') + 1) + std::string(kJson);
    return request;
  }

  Status take(std::uint64_t run, const RunEnd& ended) {
    Result<std::vector<JvmReport>> reports = read_reports(ended.notes);
    if (!reports.ok()) return reports.status();
    for (const agent::Note& note : ended.notes) {
      const auto* text = std::get_if<agent::TextNote>(&note);
      if (text != nullptr && text->kind == agent::TextNote::Kind::kAlive) {
        notes_.push_back(agent::TextNote{
            agent::TextNote::Kind::kWarning,
            fmt::format("a JVM outlives run {} of the command; its calls are in no report", run)});
      } else if (!std::holds_alternative<FileNote>(note) &&
                 !std::holds_alternative<agent::ClaimNote>(note) &&
                 (run == 1 ||
                  (tells_of_trouble(note) && std::ranges::find(notes_, note) == notes_.end()))) {
        notes_.push_back(note);
        keep_path_of(run, ended.notes);
      }
    }
    if (!request_.quiet) say_run(run, *reports);
    std::vector<std::string> programs;
    for (JvmReport& report : *reports) {
      programs.push_back(report.note.program);
      const auto place = static_cast<std::size_t>(std::ranges::count(programs, programs.back()));
      if (on_report_) on_report_(run, programs.back(), place, report.model);
      group_of(report, place).ranges.add(std::move(report.model));
    }
    std::error_code ignored;  // the folder is removed with all in it
    fs::remove_all(folder_.path() + "/" + std::to_string(run), ignored);
    return {};
  }

  // Where the last note's report was to be written goes with this command, and the wanted name is that of all runs.
  void keep_path_of(std::uint64_t run, const std::vector<agent::Note>& notes) {
    auto* unwritten = std::get_if<agent::UnwrittenNote>(&notes_.back());
    if (unwritten == nullptr || !unwritten->path.ends_with(kJson)) return;
    unwritten->path = folder_of_output_ +
                      with_suffix(wanted_name(unwritten->path, notes), fmt::format("-run-{}", run));
  }

  Group& group_of(const JvmReport& report, std::size_t place) {
    for (Group& group : groups_) {
      if (group.program == report.note.program && group.place == place) return group;
    }
    std::string name = report.name;
    if (std::ranges::any_of(groups_, [&](const Group& group) { return group.name == name; })) {
      name = with_suffix(name, "-" + std::to_string(report.model.program.pid));
    }
    return groups_.emplace_back(Group{report.note.program, place, report.note, name, {}});
  }

  Status write_reports() {
    for (Group& group : groups_) {
      const std::uint64_t differing = group.ranges.differing_contexts();
      const std::uint64_t runs = group.ranges.runs();
      report::ReportModel model = group.ranges.take();
      differences_.push_back(differing != 0 ? model.notes.back()
                             : runs > 1     ? fmt::format("The {} runs made the same calls.", runs)
                                            : "");
      FileNote note = group.note;
      const std::string path = folder_of_output_ + group.name;
      const FolderLock lock(path);
      const auto before = files_before_.find(path);
      agent::OutputPlace place(path, getpid(), before == files_before_.end() ? "" : before->second);
      if (std::string sentence = place.settle(); !sentence.empty()) {
        notes_.push_back(agent::TextNote{agent::TextNote::Kind::kWarning, std::move(sentence)});
      }
      note.path = place.path();
      if (Status status =
              report::write_report_file(model, note.path, request_.options.max_contexts);
          !status) {
        return status;
      }
      note.count = model.totals.calls;
      note.size = report::contexts_with(model.nodes.calls);
      note.lost = model.totals.calls_lost;
      notes_.push_back(std::move(note));
    }
    return {};
  }

  void say_run(std::uint64_t run, const std::vector<JvmReport>& reports) const {
    for (const JvmReport& report : reports) {
      const std::string whose = reports.size() > 1 ? report.note.program + ": " : "";
      say(fmt::format("run {} of {}: {}{}", run, runs_, whose, agent::contents_of(report.note)));
    }
    if (reports.empty()) say(fmt::format("run {} of {}: no report", run, runs_));
  }

  void say_interrupted(std::uint64_t run) const {
    if (request_.quiet) return;
    say(fmt::format("run {} of {} was interrupted, and is not in the report", run, runs_));
  }

  void say_end(const RunEnd& end) const {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (differences_[i].empty()) continue;
      const std::string whose = groups_.size() > 1 ? groups_[i].program + ": " : "";
      std::string words = differences_[i];
      words[0] = 't';
      words.pop_back();
      say(whose + words);
    }
    say_end_of_command(end.notes, end.words);
  }

  const RunRequest& request_;
  const std::uint64_t runs_;
  const OnReport& on_report_;
  const std::function<bool()>& goes_on_;
  const std::string folder_of_output_;  // ends in '/'
  const std::map<std::string, std::string> files_before_;
  const PassingFolder folder_;
  std::vector<Group> groups_;
  std::vector<std::string> differences_;  // by group, in words
  std::vector<agent::Note> notes_;        // of all runs, without their files
};

}  // namespace

Result<RunEnd> run_repeatedly(const RunRequest& request, std::uint64_t runs,
                              const OnReport& on_report, const std::function<bool()>& goes_on) {
  return RepeatedRun(request, runs, on_report, goes_on).made();
}

}  // namespace copse::cli
