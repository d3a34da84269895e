#include "cli/mcp/tool_call.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/descriptor.h"
#include "base/grouped.h"
#include "base/passing_path.h"
#include "cli/file_kind.h"
#include "cli/look/kept_reports.h"
#include "cli/look/part_options.h"
#include "cli/mcp/answer.h"
#include "cli/mcp/captured.h"
#include "cli/mcp/facts.h"
#include "cli/mcp/json.h"
#include "cli/passing_folder.h"
#include "cli/standard_output.h"
#include "compare/diff/writers.h"
#include "compare/identity/find_context.h"
#include "report/model/measure_view.h"
#include "report/part/cut.h"

namespace copse::cli {
namespace {

using report::ReportModel;

constexpr std::size_t kRoomForHead = 900;      // bytes beside data, as a rule
constexpr std::size_t kShareOfOutput = 8;      // of a program, one part of an answer for each kind
constexpr std::size_t kMostRows = 2'000;       // no answer has room for more
constexpr std::size_t kMostOfMessage = 1'500;  // bytes
constexpr std::uint64_t kUsualSeconds = 600;   // for a program

std::string without_name(std::string message) {
  constexpr std::string_view kName = "copse: ";
  if (message.starts_with(kName)) message.erase(0, kName.size());
  while (message.ends_with('\n')) message.pop_back();
  return message;
}

// A regular file as it is now, to see later whether there is another one.
std::optional<std::pair<ino_t, timespec>> file_now(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return std::nullopt;
  return std::pair(about.st_ino, about.st_mtim);
}

bool are_same(const std::optional<std::pair<ino_t, timespec>>& a,
              const std::optional<std::pair<ino_t, timespec>>& b) {
  return a.has_value() == b.has_value() &&
         (!a || (a->first == b->first && a->second.tv_sec == b->second.tv_sec &&
                 a->second.tv_nsec == b->second.tv_nsec));
}

// Takes a name for a report by making an empty file, so that no call beside this one takes it, too. Error: why none can
// be made.
Result<std::string> take_report_name() {
  for (int number = 1;; ++number) {
    std::string name = "profile-" + std::to_string(number) + ".json";
    const Descriptor made(
        open_above_standard(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
    if (made) return name;
    if (errno != EEXIST) return Status::error(Fault::kSystem, name + ": " + std::strerror(errno));
  }
}

class ToolCall {
 public:
  explicit ToolCall(const ToolRequest& request)
      : request_(request),
        name_(request.tool->name),
        most_bytes_(
            std::clamp(request.number("max_bytes", kUsualAnswer), kLeastAnswer, kMostAnswer)) {}

  ToolAnswer answer() {
    if (name_ == "profile") return profile();
    if (name_ == "attach") return request_.has("jvm") ? attach() : list_jvms();
    if (name_ == "cost_of") return cost_of();
    if (name_ == "query") return query();
    if (name_ == "ask") return ask();
    if (name_ == "compare" || name_ == "gate") return compare();
    return look();
  }

 private:
  ToolAnswer failure(const std::string& message) const {
    return {{with_parameters(*request_.tool, without_name(message)).substr(0, kMostOfMessage), ""},
            true,
            1};
  }
  ToolAnswer failure(const Captured& captured) const {
    const std::string message = captured.messages.end(kMostOfMessage);
    if (!message.empty()) return failure(message);
    return failure(name_ + ": ended with status " + std::to_string(captured.status) +
                   ", and said nothing");
  }
  ToolAnswer done(Answer answer) const {
    const int status = answer.status;
    return {in_words(std::move(answer), static_cast<std::size_t>(most_bytes_)), false, status};
  }
  std::size_t room() const {
    const auto most = static_cast<std::size_t>(most_bytes_);
    return std::max(most / 4, most - std::min(most, kRoomForHead));
  }

  // Returns the words with what the tool adds to them.
  std::vector<std::string> words_with(const ToolRequest& request,
                                      const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = words_of(request);
    words.insert(words.begin() + 1, more.begin(), more.end());
    return words;
  }

  // Runs a command that shows a report, with fewer rows or larger subtrees until its text fits into `room`.
  Result<Captured> run_fitting(ToolRequest request, Shrinks shrinks, std::size_t room,
                               std::string& left_out) {
    const bool is_tree = shrinks == Shrinks::kMinPercent;
    double percent = 2;
    if (const std::string typed = request.text("min_percent"); !typed.empty())
      percent = std::strtod(typed.c_str(), nullptr);
    top_ = std::min<std::uint64_t>(request.number("limit", 10), kMostRows);
    for (bool is_first = true;; is_first = false) {
      std::vector<std::string> more;
      if (is_tree) {
        std::string digits = std::to_string(percent);
        while (digits.ends_with('0')) digits.pop_back();
        if (digits.ends_with('.')) digits.pop_back();
        request.values["min_percent"] = {digits};
        more = {"--format=tree"};
        left_out = "subtrees below " + digits + " %, with their number and sum in their place";
      } else if (shrinks == Shrinks::kTop) {
        request.values["limit"] = {std::to_string(top_)};
      }
      if (!is_first)
        left_out +=
            (left_out.empty() ? "" : " ") + std::string(is_tree ? "(raised to fit max_bytes)" : "");
      Result<Captured> captured = run_captured(words_with(request, more), {});
      if (!captured.ok() || captured->out.bytes() <= room || was_told_to_end()) return captured;
      if (is_tree && percent < 50) {
        percent = std::max(2 * percent, 0.5);
      } else if (shrinks == Shrinks::kTop && top_ > 1) {
        top_ /= 2;
      } else {
        return captured;
      }
    }
  }

  void take_data(Answer& answer, const Captured& captured) {
    answer.data = printable_lines(captured.out.beginning());
    answer.status = captured.status;
    if (captured.out.bytes() > captured.out.beginning().size()) {
      answer.left_out.push_back(
          counted(captured.out.bytes() - captured.out.beginning().size(), "byte") +
          " behind these");
    }
  }

  // Cuts the report to the part and the measure of the request.
  Status choose(ReportModel& model) const {
    if (request_.has("measure")) {
      if (Status status = report::show_measure(model, request_.text("measure")); !status)
        return status;
    }
    report::PartOptions part;
    part.focus = request_.texts("focus");
    part.threads = request_.texts("thread");
    return report::cut(model, part);
  }

  ToolAnswer look() {
    Answer answer;
    std::string left_out;
    const Result<Captured> captured =
        run_fitting(request_, request_.tool->shrinks, room(), left_out);
    if (!captured.ok()) return failure(captured.message());
    if (captured->status != 0) return failure(*captured);
    take_data(answer, *captured);
    const std::string file = request_.text("report");
    Result<ReportModel> model = read_report(file);
    if (!model.ok()) return failure(model.message());
    answer.of = facts_of(file, *model);
    answer.exactness = exactness_of(*model);
    if (Status status = choose(*model); !status) return failure(status.message());
    if (name_ == "summary") left_out = left_out_of_rankings(*model, top_);
    answer.left_out.push_back(left_out);
    add_next_looks(answer, file, *model);
    return done(std::move(answer));
  }

  void add_next_looks(Answer& answer, const std::string& file, const ReportModel& model) const {
    const std::string method = hottest_method(model);
    if (name_ != "hot_paths")
      answer.next.push_back(next_call("hot_paths", {{"report", as_json(file)}}));
    if (method.empty()) return;
    const std::string tool = name_ == "callers" ? "cost_of" : "callers";
    answer.next.push_back(next_call(
        tool, {{"report", as_json(file)}, {"method", as_json(request_.text("method", method))}}));
  }

  // Cuts a report to the part that is asked about, as the commands of other tools do.
  Status cut_to_part(ReportModel& model) const {
    report::PartOptions part;
    part.focus = request_.texts("focus");
    part.subtract = request_.texts("subtract");
    part.hide = request_.texts("hide");
    part.fold = request_.texts("fold");
    part.find_context = [](const ReportModel& whole, const std::string& digits) {
      return identity::find_context(whole, digits, {});
    };
    return report::cut(model, part);
  }

  ToolAnswer cost_of() {
    const std::string file = request_.text("report");
    if (Status status = check_kind(file, {FileKind::kReport}, "a report as JSON"); !status)
      return failure(status.message());
    Result<ReportModel> model = read_report(file);
    if (!model.ok()) return failure(model.message());
    Answer answer;
    answer.of = facts_of(file, *model);
    answer.exactness = exactness_of(*model);
    // The base of percentages is that of all tools.
    take_out(*model, {kIdle, kJvm}, {});
    if (Status status = cut_to_part(*model); !status)
      return failure(file + ": " + status.message());
    answer.left_out.emplace_back();
    const Result<std::string> costs =
        costs_of(*model, request_.texts("method"),
                 static_cast<std::size_t>(request_.number("limit", 5)), answer.left_out.front());
    if (!costs.ok()) return failure(file + ": " + costs.message());
    answer.data = printable_lines(*costs);
    answer.next.push_back(next_call(
        "callers", {{"report", as_json(file)}, {"method", as_json(request_.text("method"))}}));
    return done(std::move(answer));
  }

  ToolAnswer compare() {
    Answer answer;
    const bool is_gate = name_ == "gate";
    std::string left_out;
    const Result<Captured> captured =
        run_fitting(request_, request_.tool->shrinks, room(), left_out);
    if (!captured.ok()) return failure(captured.message());
    // A gate ends with 1 where a rule is broken, and with 2 where it cannot be decided.
    if (captured->status != 0 && (!is_gate || captured->out.bytes() == 0))
      return failure(*captured);
    take_data(answer, *captured);
    const std::string old_file = request_.text("old"), new_file = request_.text("new");
    const Result<ReportModel> before = read_report(old_file);
    if (!before.ok()) return failure(before.message());
    const Result<ReportModel> now = read_report(new_file);
    if (!now.ok()) return failure(now.message());
    answer.of = facts_of(new_file, *now) + ", against " + facts_of(old_file, *before);
    answer.exactness = "new: " + exactness_of(*now) + "; old: " + exactness_of(*before);
    if (!is_gate)
      answer.left_out.push_back("of lists with more than " + counted(top_, "row") +
                                " the rest, which their headings count");
    add_next_comparisons(answer, is_gate, captured->status, *before, *now);
    return done(std::move(answer));
  }

  void add_next_comparisons(Answer& answer, bool is_gate, int status, const ReportModel& before,
                            const ReportModel& now) const {
    const std::string method = most_changed_method(before, now);
    const std::string old_file = as_json(request_.text("old")),
                      new_file = as_json(request_.text("new"));
    if (is_gate && status == 0) {
      answer.next.emplace_back("none: the rules hold");
    } else if (is_gate && status == 1 && !method.empty()) {
      answer.next.push_back(
          next_call("callers", {{"report", new_file}, {"method", as_json(method)}}));
    } else if (is_gate) {
      answer.next.push_back(next_call("compare", {{"old", old_file}, {"new", new_file}}));
    } else if (!method.empty()) {
      answer.next.push_back(next_call(
          "gate", {{"old", old_file},
                   {"new", new_file},
                   {"rules", as_json(std::vector<std::string>{"calls(" + method + ") > +0"})}}));
    }
  }

  ToolAnswer query() {
    const bool asks = request_.has("sql");
    const std::vector<std::string> more =
        asks ? std::vector<std::string>{"--format=csv"} : std::vector<std::string>{"--shell"};
    const Result<Captured> captured =
        run_captured(words_with(request_, more), {.input = asks ? "" : ".schema\n"});
    if (!captured.ok()) return failure(captured.message());
    if (captured->status != 0) return failure(*captured);
    Answer answer;
    take_data(answer, *captured);
    for (const std::string& file : request_.reports()) {
      const Result<ReportModel> model = read_report(file);
      if (!model.ok()) return failure(model.message());
      const std::string divider = answer.of.empty() ? "" : "; ";
      answer.of += divider + facts_of(file, *model);
      answer.exactness += divider + exactness_of(*model);
    }
    answer.next.push_back(
        asks ? next_call("hot_paths", {{"report", as_json(request_.text("reports"))}})
             : next_call(
                   "query",
                   {{"reports", as_json(request_.texts("reports"))},
                    {"sql",
                     as_json("SELECT name, calls FROM methods ORDER BY calls DESC LIMIT 10")}}));
    return done(std::move(answer));
  }

  // Adds what a program printed last.
  std::string end_of(const Printed& printed, std::string_view what) const {
    if (printed.bytes() == 0) return "";
    const std::string end =
        printable_lines(printed.end(static_cast<std::size_t>(most_bytes_) / kShareOfOutput));
    return "== " + std::string(what) + (printed.bytes() > end.size() ? ", its end\n" : "\n") + end;
  }

  // Answers with the summary of a report that a command has just written.
  ToolAnswer recorded(const std::vector<std::string>& words, const std::string& file,
                      std::uint64_t seconds) {
    const auto before = file_now(file);
    const Result<Captured> captured =
        run_captured(words, {.input = "", .seconds = seconds, .set_width = false});
    if (!captured.ok()) return failure(captured.message());
    if (are_same(before, file_now(file)) || kind_of_file(file) != FileKind::kReport) {
      if (captured->time_was_up) {
        return failure(name_ + ": seconds: the command was ended after " +
                       counted(seconds, "second") + ", and no JVM of it had written " + file);
      }
      ToolAnswer failed = failure(*captured);
      if (captured->messages.bytes() == 0) failed.answer.text += "; " + file + ": was not written";
      return failed;
    }
    if (taken_) taken_->keep();
    const std::string printed = end_of(captured->out, "standard output") +
                                end_of(captured->messages, "standard error, and Copse's own lines");
    Answer answer;
    Result<ReportModel> model = read_report(file);
    if (!model.ok()) return failure(model.message());
    const ToolRequest summary{find_tool("summary"), {{"report", {file}}, {"limit", {"5"}}}};
    std::string left_out;
    const Result<Captured> shown = run_fitting(
        summary, Shrinks::kTop, room() - std::min(room() / 2, printed.size()), left_out);
    if (!shown.ok()) return failure(shown.message());
    if (shown->status != 0) return failure(*shown);
    answer.data = printed + "== summary\n" + printable_lines(shown->out.beginning());
    answer.status = captured->status;
    answer.of = facts_of(file, *model) + ", exit status " + std::to_string(captured->status);
    if (captured->time_was_up) answer.of += ", ended after " + counted(seconds, "second");
    answer.exactness = exactness_of(*model);
    answer.left_out.push_back(left_out_of_rankings(*model, top_));
    add_next_looks(answer, file, *model);
    return done(std::move(answer));
  }

  // Returns the report to write, and sets it in `request`. Error: it has another format, or no name can be taken.
  Result<std::string> output_of(ToolRequest& request) {
    if (!request.has("report")) {
      const SignalsHeldBack held;
      const Result<std::string> name = take_report_name();
      if (!name.ok()) return name;
      taken_.emplace(*name, PassingPath::Kind::kFile);
      request.values["report"] = {*name};
    }
    const std::string file = request.text("report");
    if (!file.ends_with(".json"))
      return Status::error(Fault::kUsage, name_ + ": report: must end in .json");
    return file;
  }

  ToolAnswer profile() {
    ToolRequest request = request_;
    const Result<std::string> file = output_of(request);
    if (!file.ok()) return failure(file.message());
    std::vector<std::string> words = words_with(request);
    words.emplace_back("--");
    for (std::string& word : request.texts("command")) words.push_back(std::move(word));
    return recorded(words, *file, request.number("seconds", kUsualSeconds));
  }

  ToolAnswer attach() {
    ToolRequest request = request_;
    const Result<std::string> file = output_of(request);
    if (!file.ok()) return failure(file.message());
    request.values.try_emplace("duration", std::vector<std::string>{"10s"});
    return recorded(words_with(request), *file, 0);
  }

  ToolAnswer list_jvms() {
    const Result<Captured> captured = run_captured(words_with(request_), {});
    if (!captured.ok()) return failure(captured.message());
    if (captured->status != 0) return failure(*captured);
    Answer answer;
    take_data(answer, *captured);
    answer.of = "the JVMs of this user that run now";
    answer.exactness = "all that the system shows";
    answer.next.push_back(
        next_call("attach", {{"jvm", as_json("PID")}, {"duration", as_json("10s")}}));
    return done(std::move(answer));
  }

  ToolAnswer list_checks() {
    const Result<Captured> captured = run_captured({"ptql", "--list-checks"}, {});
    if (!captured.ok()) return failure(captured.message());
    if (captured->status != 0) return failure(*captured);
    Answer answer;
    take_data(answer, *captured);
    answer.of = "the library of checks";
    answer.exactness = "all that there are";
    return done(std::move(answer));
  }

  ToolAnswer ask() {
    if (!request_.has("query") && !request_.has("check")) return list_checks();
    const std::vector<std::string> command = request_.texts("command");
    std::vector<std::string> words = words_with(request_);
    // Answers about a program are to be apart from what it prints.
    std::optional<PassingFolder> folder;
    std::string answers;
    if (!command.empty()) {
      folder.emplace();
      if (!folder->made()) return failure(folder->path() + ": " + std::strerror(errno));
      answers = folder->path() + "/answers";
      words.insert(words.begin() + 1, "--output=" + answers);
      words.emplace_back("--");
      words.insert(words.end(), command.begin(), command.end());
    }
    const std::uint64_t seconds =
        request_.runs_with().empty() ? 0 : request_.number("seconds", kUsualSeconds);
    const Result<Captured> captured =
        run_captured(words, {.input = "", .seconds = seconds, .set_width = false});
    if (!captured.ok()) return failure(captured.message());
    Answer answer;
    if (folder) {
      if (!std::filesystem::exists(answers)) return failure(*captured);
      const Result<std::string> text = text_of_file(answers);
      answer.data = (text.ok() ? printable_lines(*text) : "no answers\n") +
                    end_of(captured->out, "standard output");
      answer.of = "a run of the command, exit status " + std::to_string(captured->status);
    } else {
      if (captured->status != 0) return failure(*captured);
      answer.of = diff::code_span(request_.text("recording", request_.text("jvm")));
    }
    answer.status = captured->status;
    if (!folder) take_data(answer, *captured);
    answer.data += end_of(captured->messages, "standard error, and Copse's own lines");
    if (!command.empty())
      answer.next.push_back(next_call("profile", {{"command", as_json(command)}}));
    answer.exactness = "each answer is exact; Copse's own lines at the end tell what was dropped";
    return done(std::move(answer));
  }

  const ToolRequest& request_;
  const std::string name_;
  const std::uint64_t most_bytes_;
  std::size_t top_ = 10;              // rows that the last ranking showed
  std::optional<PassingPath> taken_;  // report without a name from the request
};

}  // namespace

ToolAnswer answer_call(const ToolRequest& request) { return ToolCall(request).answer(); }

}  // namespace copse::cli
