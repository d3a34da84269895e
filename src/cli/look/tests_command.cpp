// copse tests RECORDINGS --of GLOB | --changed OLD NEW: the unit tests that cross a method, or changed ones.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/look/part_options.h"
#include "cli/messages.h"
#include "cli/standard_output.h"
#include "graph/classes/changed_methods.h"
#include "report/model/json_reader.h"
#include "report/model/row.h"
#include "report/model/text_lines.h"
#include "report/part/method_choice.h"
#include "report/text/text_table.h"
#include "sql/database_file.h"
#include "sql/database_reader.h"
#include "sql/reports.h"

namespace copse::cli {
namespace {

using report::ReportModel;

// Options of a recording, as copse-test.jar writes them: its test; and tests that ran at the same time, one a line, where
// its calls may be theirs.
constexpr const char* kTest = "test";
constexpr const char* kBeside = "beside";

struct TestsArguments {
  std::string recordings;  // a folder of reports, or a database made of one
  std::vector<std::string> of, under;
  std::vector<std::string> changed;  // OLD and NEW
  std::string output;                // "": standard output
};

// A recording of a test; a test may have several.
struct TestExcerpt {
  std::string test;
  std::vector<std::string> beside;  // each of them may have made the calls instead
  ReportModel report;
};

// A test in an answer, and how much of what was asked for it does.
struct RankedTest {
  std::string test;
  std::uint64_t methods = 0;       // changed ones that it crosses
  std::uint64_t calls = 0;         // of the methods
  std::uint64_t shared_calls = 0;  // which may be those of a test beside it
  std::set<std::string> beside{};  // tests that may have made them
};

// Takes a recording of a test. `name`: the file or row that it is from.
Result<TestExcerpt> excerpt_of(const std::string& name, ReportModel report) {
  const auto test = report.options.find(kTest);
  if (test == report.options.end()) {
    return Status::error(Fault::kMalformed, name +
                                                ": is of no test; tests write a folder with "
                                                "the property copse.tests");
  }
  std::string of = test->second;
  std::vector<std::string> beside;
  if (const auto others = report.options.find(kBeside); others != report.options.end()) {
    std::istringstream lines(others->second);
    for (std::string line; std::getline(lines, line);) beside.push_back(line);
  }
  return TestExcerpt{std::move(of), std::move(beside), std::move(report)};
}

Result<std::vector<TestExcerpt>> read_database(const std::string& path) {
  Result<std::vector<sql::ReadReport>> reports = sql::read_database_file(path);
  if (!reports.ok()) return reports.status();
  std::vector<TestExcerpt> excerpts;
  for (sql::ReadReport& read : *reports) {
    Result<TestExcerpt> excerpt = excerpt_of(path + ": " + read.name, std::move(read.report));
    if (!excerpt.ok()) return excerpt.status();
    excerpts.push_back(std::move(*excerpt));
  }
  return excerpts;
}

Result<std::vector<TestExcerpt>> read_folder(const std::string& folder) {
  std::error_code error;
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.insert(entry.path().string());
  }
  if (error) return Status::error(Fault::kSystem, folder + ": " + error.message());
  std::vector<TestExcerpt> excerpts;
  for (const std::string& file : files) {
    if (Status status = check_kind(file, {FileKind::kReport}, "the recording of a test"); !status) {
      return status;
    }
    Result<ReportModel> report = report::read_json_file(file);
    if (!report.ok()) return report.status();
    Result<TestExcerpt> excerpt = excerpt_of(file, std::move(*report));
    if (!excerpt.ok()) return excerpt.status();
    excerpts.push_back(std::move(*excerpt));
  }
  return excerpts;
}

Result<std::vector<TestExcerpt>> read_excerpts(const std::string& recordings) {
  const bool is_database = kind_of_file(recordings) == FileKind::kDatabase;
  Result<std::vector<TestExcerpt>> excerpts =
      is_database ? read_database(recordings) : read_folder(recordings);
  if (!excerpts.ok() || !excerpts->empty()) return excerpts;
  return Status::error(Fault::kNotFound, recordings + ": has no recording of a test");
}

// Names of an option, looked for in one recording after the other: each must match in one of them, not in all.
class NamesInRecordings {
 public:
  // REQUIRES: both outlive this.
  NamesInRecordings(const char* option, const std::vector<std::string>& globs)
      : option_(option), globs_(globs), unmatched_(globs.size(), Status()) {}

  // Returns the methods that any name matches, by row; empty without names.
  std::vector<bool> rows(const ReportModel& report) {
    std::vector<bool> rows(globs_.empty() ? 0 : report.methods.name.size());
    for (std::size_t i = 0; i < globs_.size(); ++i) {
      const Result<report::MethodChoice> choice =
          report::choose_methods(report, option_, {globs_[i]});
      if (!choice.ok()) {
        if (unmatched_[i]) unmatched_[i] = choice.status();
        continue;
      }
      unmatched_[i].reset();
      std::transform(rows.begin(), rows.end(), choice->methods.begin(), rows.begin(),
                     std::logical_or<>());
    }
    return rows;
  }
  // Returns the error of the first name that matched in no recording.
  Status check() const {
    for (const std::optional<Status>& status : unmatched_) {
      if (status) return *status;
    }
    return {};
  }

 private:
  const char* option_;
  const std::vector<std::string>& globs_;
  std::vector<std::optional<Status>> unmatched_;  // by name; none: it has matched
};

// Adds the calls of the methods, below any of `under` if there are some, to the test.
void add_calls(const TestExcerpt& excerpt, const std::vector<bool>& of,
               const std::vector<bool>& under, RankedTest& test) {
  const ReportModel::Nodes& nodes = excerpt.report.nodes;
  std::uint64_t calls = 0;
  std::vector<bool> is_under(nodes.parent.size());
  for (std::size_t row = 1; row < is_under.size(); ++row) {
    const std::size_t parent = report::at(nodes.parent[row]);
    if (!under.empty() && parent != 0) {
      is_under[row] = is_under[parent] || under[report::at(nodes.method[parent])];
    }
    const bool counts = of[report::at(nodes.method[row])] && (under.empty() || is_under[row]);
    if (counts) calls += nodes.calls[row];
  }
  if (excerpt.beside.empty()) {
    test.calls += calls;
  } else if (calls != 0) {
    test.shared_calls += calls;
    test.beside.insert(excerpt.beside.begin(), excerpt.beside.end());
  }
}

// Those with the most first.
std::vector<RankedTest> ranked(const std::map<std::string, RankedTest>& tests) {
  std::vector<RankedTest> ranked;
  for (const auto& [name, test] : tests) {
    if (test.calls + test.shared_calls != 0) ranked.push_back(test);
  }
  std::ranges::stable_sort(ranked, [](const RankedTest& a, const RankedTest& b) {
    return std::tuple(a.methods, a.calls, a.shared_calls) >
           std::tuple(b.methods, b.calls, b.shared_calls);
  });
  return ranked;
}

RankedTest& test_of(std::map<std::string, RankedTest>& tests, const std::string& name) {
  return tests.try_emplace(name, RankedTest{.test = name}).first->second;
}

Result<std::vector<RankedTest>> tests_of(const std::vector<TestExcerpt>& excerpts,
                                         const TestsArguments& arguments) {
  std::map<std::string, RankedTest> tests;
  NamesInRecordings of("--of", arguments.of), under("--under", arguments.under);
  for (const TestExcerpt& excerpt : excerpts) {
    add_calls(excerpt, of.rows(excerpt.report), under.rows(excerpt.report),
              test_of(tests, excerpt.test));
  }
  for (const NamesInRecordings* const names : {&of, &under}) {
    if (Status status = names->check(); !status) return status;
  }
  return ranked(tests);
}

struct ChangedTests {
  std::vector<RankedTest> tests;
  std::size_t changed = 0;
  std::vector<std::string> uncrossed;  // changed methods that no test crosses
};

Result<ChangedTests> changed_tests(const std::vector<TestExcerpt>& excerpts,
                                   const TestsArguments& arguments) {
  const auto changed = graph::changed_methods(arguments.changed[0], arguments.changed[1]);
  if (!changed.ok()) return changed.status();
  std::map<std::string, RankedTest> tests;
  std::map<std::string, std::set<graph::ChangedMethod>> crossed_by;
  std::set<graph::ChangedMethod> crossed;
  for (const TestExcerpt& excerpt : excerpts) {
    const ReportModel::Methods& methods = excerpt.report.methods;
    std::vector<bool> is_changed(methods.name.size());
    for (std::size_t row = 0; row < is_changed.size(); ++row) {
      const auto found =
          changed->find({methods.class_name[row], methods.name[row], methods.descriptor[row]});
      if (found == changed->end()) continue;
      is_changed[row] = true;
      crossed.insert(*found);
      if (excerpt.beside.empty()) crossed_by[excerpt.test].insert(*found);
    }
    RankedTest& test = test_of(tests, excerpt.test);
    add_calls(excerpt, is_changed, {}, test);
    test.methods = crossed_by[excerpt.test].size();
  }
  ChangedTests made{ranked(tests), changed->size(), {}};
  for (const graph::ChangedMethod& method : *changed) {
    if (!crossed.contains(method)) made.uncrossed.push_back(method.class_name + '.' + method.name);
  }
  return made;
}

bool is_sure(const RankedTest& test) { return test.calls != 0; }

// The first ten names, and how many more there are.
std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + printable(names[i]);
  }
  return text + (names.size() > kMost ? " and " + grouped(names.size() - kMost) + " more" : "");
}

void write_tests(const std::vector<RankedTest>& tests, bool with_methods,
                 report::TextLines& lines) {
  const bool with_shared =
      std::ranges::any_of(tests, [](const RankedTest& test) { return test.shared_calls != 0; });
  report::TextTable table({{"changed", "methods"}, {"", "calls"}, {"", "perhaps"}});
  for (const RankedTest& test : tests) {
    table.add({grouped(test.methods), grouped(test.calls), grouped(test.shared_calls)});
  }
  if (!with_shared) table.drop(2);
  if (!with_methods) table.drop(0);
  if (with_methods) lines.line(table.upper());
  lines.row(table.lower(), "test");
  for (std::size_t i = 0; i < tests.size(); ++i) {
    lines.row(table.row(i), printable(tests[i].test));
  }
  if (!with_shared) return;
  lines.wrapped(
      "",
      "Perhaps: calls on threads of no test while tests ran at the same time. Each of these "
      "tests has them, since nothing tells which of them made them.");
  for (const RankedTest& test : tests) {
    if (test.shared_calls == 0) continue;
    lines.wrapped("", printable(test.test) + " ran beside " +
                          some_names({test.beside.begin(), test.beside.end()}) + ".");
  }
}

int write_changed(const ChangedTests& changed) {
  report::DescriptorOutput out(STDOUT_FILENO, "standard output");
  report::TextLines lines(out, line_width());
  const auto sure = static_cast<std::size_t>(std::ranges::count_if(changed.tests, is_sure));
  const std::size_t others = changed.tests.size() - sure;
  lines.wrapped("", counted(changed.changed, "method") + " changed; " + counted(sure, "test") +
                        " crossed some of them" +
                        (others == 0 ? "" : ", and perhaps " + grouped(others) + " more") + ".");
  if (!changed.tests.empty()) write_tests(changed.tests, true, lines);
  if (!changed.uncrossed.empty()) {
    lines.wrapped("", "Crossed by no test: " + some_names(changed.uncrossed) + ".");
  }
  lines.wrapped("",
                "A ranking, no proof: what tests do by resources, by constants of other classes "
                "or by reflection on what has changed is not seen.");
  const Status status = out.finish();
  return status.ok() || out.reader_gone() ? 0 : failure(status);
}

int write_found(const std::vector<RankedTest>& tests) {
  report::DescriptorOutput out(STDOUT_FILENO, "standard output");
  report::TextLines lines(out, line_width());
  if (tests.empty()) lines.line("No test crosses it there.");
  if (!tests.empty()) write_tests(tests, false, lines);
  const Status status = out.finish();
  return status.ok() || out.reader_gone() ? 0 : failure(status);
}

// One database with a report for each recording; its name is the test.
int write_database(const std::vector<TestExcerpt>& excerpts, const std::string& output) {
  std::vector<sql::Reports::File> files;
  for (const TestExcerpt& excerpt : excerpts) {
    files.push_back(
        {excerpt.test + (excerpt.beside.empty() ? "" : " or a test beside it"), &excerpt.report});
  }
  const Result<sql::Reports> reports = sql::Reports::make(std::move(files));
  if (!reports.ok()) return failure(reports);
  const Status status = sql::write_database_file(*reports, output);
  return status.ok() ? 0 : failure(status);
}

int answer(const TestsArguments& arguments) {
  const int questions = (arguments.of.empty() ? 0 : 1) + (arguments.changed.empty() ? 0 : 1) +
                        (arguments.output.empty() ? 0 : 1);
  if (questions != 1) {
    return usage_error("tests: needs --of GLOB, --changed OLD NEW or -o FILE.sqlite, one of them");
  }
  if (!arguments.under.empty() && arguments.of.empty()) {
    return usage_error("--under: has no effect without --of");
  }
  if (!arguments.output.empty()) {
    if (!arguments.output.ends_with(".sqlite") && !arguments.output.ends_with(".db")) {
      return usage_error(arguments.output + ": a database is written; end its name in .sqlite");
    }
    for (const Status& status :
         {agent::check_replaces_none(arguments.output,
                                     {{arguments.recordings, "the database that is read"}}),
          agent::check_writable(arguments.output)}) {
      if (!status) return failure(status);
    }
  }
  const Result<std::vector<TestExcerpt>> excerpts = read_excerpts(arguments.recordings);
  if (!excerpts.ok()) return failure(excerpts);
  if (!arguments.output.empty()) return write_database(*excerpts, arguments.output);
  if (!arguments.of.empty()) {
    const Result<std::vector<RankedTest>> tests = tests_of(*excerpts, arguments);
    return tests.ok() ? write_found(*tests) : failure(tests);
  }
  const Result<ChangedTests> changed = changed_tests(*excerpts, arguments);
  return changed.ok() ? write_changed(*changed) : failure(changed);
}

}  // namespace

void add_tests_command(CLI::App& app, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("tests", "List the unit tests that cross a method, or changed methods");
  const auto arguments = std::make_shared<TestsArguments>();
  command
      ->add_option("recordings", arguments->recordings,
                   "Folder that copse-test.jar fills with -Dcopse.tests=FOLDER, or the database "
                   "that -o made of one")
      ->required();
  add_globs(*command, "--of", arguments->of, "Tests that call these methods; repeatable");
  add_globs(*command, "--under", arguments->under,
            "With --of: only calls with such a method further out; repeatable");
  command
      ->add_option("--changed", arguments->changed,
                   "Two class paths, before and after a change: tests by the changed methods that "
                   "they cross")
      ->type_name("OLD NEW")
      ->expected(2);
  command
      ->add_option("-o,--output", arguments->output,
                   "File for a database of all recordings, .sqlite, for SQL (tables of copse "
                   "query) and for the "
                   "questions above")
      ->type_name("FILE");
  command->callback([arguments, &exit_status] { exit_status = answer(*arguments); });
}

}  // namespace copse::cli
