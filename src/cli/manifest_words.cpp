#include "cli/manifest_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "cli/messages.h"
#include "report/report_file.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

bool tells_of_checks(const std::vector<std::string>& fields) {
  return fields.size() == 10 && fields[0] == "validated";
}

std::string in_words(const CheckedIds& ids) {
  std::string text = fmt::format("{} tokens, {} of them without an id; {} different ids, ",
                                 grouped(ids.tokens), grouped(ids.without_id), grouped(ids.ids));
  text += fmt::format("wrong {} at once and {} at the end, {} collisions", grouped(ids.wrong),
                      grouped(ids.wrong_at_end), grouped(ids.collisions));
  if (ids.stacks != 0) {
    text += fmt::format("; {} ids checked against the JVM's own stack, {} wrong",
                        grouped(ids.stacks), grouped(ids.stacks_wrong));
  }
  return text;
}

// Of one JVM: a glob of its options matched nothing; nothing was recorded.
bool is_unmatched(const std::vector<std::string>& fields) {
  return fields.size() == 3 && fields[0] == "unmatched";
}
bool is_empty(const std::vector<std::string>& fields) {
  return fields.size() == 2 && fields[0] == "empty";
}

// Kinds of lines that are said as they are.
bool is_plain_text(std::string_view kind) {
  return kind == "failed" || kind == "alive" || kind == "warning";
}

std::string of_whom(const std::vector<std::string>& fields, bool named) {
  const std::string name = named ? fields[5] : "";
  if (fields[0] == "killed") return "killed JVM" + (named ? " " + name : name) + ": ";
  return named ? name + ": " : "";
}

// A line of the manifest in words for a person; "" when it says nothing to one. `named`: with what
// the JVM ran.
std::string in_words(const std::vector<std::string>& fields, bool named) {
  if (tells_of_checks(fields)) {
    CheckedIds ids;
    add_checked(fields, ids);
    return in_words(ids) + ": " + fields[1];
  }
  if (fields.size() == 2 && fields[0] == "wrong") return "wrong: " + fields[1];
  if (is_unmatched(fields)) return fields[2];
  if (is_empty(fields)) return fields[1];
  if (fields.size() == 2 && is_plain_text(fields[0])) return fields[1];
  if (!tells_of_file(fields)) return "";
  const bool in_bytes = fields[0] == "trace" || fields[0] == "events";
  const auto number = [&](std::size_t field) {
    return grouped(std::strtoull(fields[field].c_str(), nullptr, 10));
  };
  return fmt::format("{}{} {} in {} {}, {} lost: {}", of_whom(fields, named), number(2),
                     fields[0] == "ids" || fields[0] == "events" ? "events" : "calls", number(3),
                     in_bytes ? "bytes" : "contexts", number(4), fields[1]);
}

std::vector<std::string> event_files_without_end(const std::vector<std::string>& lines) {
  std::vector<std::string> paths;
  for (const std::string& line : lines) {
    const std::vector<std::string> fields = tab_separated(line);
    if (fields.size() == 2 && fields[0] == "appending") paths.push_back(fields[1]);
    if (tells_of_file(fields) && fields[0] == "events") std::erase(paths, fields[1]);
  }
  return paths;
}

// JVMs that wrote a file at their end.
std::size_t jvms_in(const std::vector<std::string>& lines) {
  std::size_t count = 0;
  for (const std::string& line : lines) {
    const std::vector<std::string> fields = tab_separated(line);
    if (tells_of_file(fields) && fields[0] != "events") ++count;
  }
  return count;
}

// What all JVMs of a command say alike is said once; what only some say is in their reports: a
// build tool's own JVM has none of the classes that its tests have.
void say_what_matched_nothing(const std::vector<std::string>& lines) {
  struct Doubt {
    std::string what;
    std::string sentence;
    std::size_t jvms = 0;
  };
  std::vector<Doubt> doubts;  // in the order of the lines
  for (const std::string& line : lines) {
    const std::vector<std::string> fields = tab_separated(line);
    if (!is_unmatched(fields) && !is_empty(fields)) continue;
    const std::string what = is_unmatched(fields) ? fields[1] : fields[0];
    auto known = std::find_if(doubts.begin(), doubts.end(),
                              [&](const Doubt& doubt) { return doubt.what == what; });
    if (known == doubts.end()) known = doubts.insert(known, {what, fields.back()});
    ++known->jvms;
    // The longest knows most: one JVM may have loaded what another has not.
    if (fields.back().size() > known->sentence.size()) known->sentence = fields.back();
  }
  for (const Doubt& doubt : doubts) {
    if (doubt.jvms >= jvms_in(lines)) fmt::print(stderr, "copse: {}\n", printable(doubt.sentence));
  }
}

// A file of text is looked at as everybody likes.
void say_how_to_look_at(const std::string& report) {
  const ReportFormat format = format_of_file(report);
  if (format == ReportFormat::kHtml) {
    fmt::print(stderr, "copse: to look at it, open it in a browser: {}\n", printable(report));
  } else if (format == ReportFormat::kJson) {
    const std::string page = fs::path(report).replace_extension(".html").string();
    fmt::print(stderr, "copse: to look at it: copse report {} -o {}\n", shell_path(report),
               shell_path(page));
  }
}

std::string why_nothing_was_written(const std::vector<std::string>& lines,
                                    const CommandWords& command) {
  const bool came_up = std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("claim\t");
  });
  if (came_up) return "no JVM ran to its end under this command";
  if (!command.is_reached_by_environment) return "no JVM came up under this command";
  return fmt::format(
      "no JVM came up under this command, or with another environment (env -i, sudo); that one is "
      "reached with java -agentpath:{}=out=FILE",
      shell_word(command.agent));
}

}  // namespace

std::vector<std::string> tab_separated(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  if (fields.empty()) fields.emplace_back();
  return fields;
}

bool tells_of_file(const std::vector<std::string>& fields) {
  constexpr std::array<std::string_view, 5> kKinds = {"report", "ids", "trace", "events", "killed"};
  return fields.size() == 6 && std::find(kKinds.begin(), kKinds.end(), fields[0]) != kKinds.end();
}

void add_checked(const std::vector<std::string>& fields, CheckedIds& sum) {
  if (!tells_of_checks(fields)) return;
  auto field = fields.begin() + 2;
  for (std::uint64_t* number :
       {&sum.tokens, &sum.without_id, &sum.ids, &sum.wrong, &sum.wrong_at_end, &sum.collisions,
        &sum.stacks, &sum.stacks_wrong}) {
    *number += std::strtoull((field++)->c_str(), nullptr, 10);
  }
}

std::string manifest_line_in_words(const std::string& line) {
  return in_words(tab_separated(line), false);
}

bool tell_of_nothing(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const std::vector<std::string> fields = tab_separated(line);
    if (tells_of_file(fields) && std::strtoull(fields[2].c_str(), nullptr, 10) != 0) return false;
    if (fields.size() == 2 && fields[0] == "snapshot") return false;
  }
  // Of a JVM that was killed the file alone says whether it had an event.
  const std::vector<std::string> unended = event_files_without_end(lines);
  return std::none_of(unended.begin(), unended.end(), [](const std::string& path) {
    std::error_code error;
    return fs::file_size(path, error) > 0 && !error;
  });
}

void say_end_of_command(const std::vector<std::string>& lines, const CommandWords& command) {
  const bool named = jvms_in(lines) > 1;
  std::string first_file;
  bool ids = false;
  bool heard = false;
  std::string snapshot;
  std::string unkept;
  for (const std::string& line : lines) {
    const std::vector<std::string> fields = tab_separated(line);
    if (fields.size() == 2 && fields[0] == "snapshot") snapshot = fields[1];
    if (fields.size() == 2 && fields[0] == "unkept") unkept = " (" + fields[1] + ")";
    const std::string words =
        is_unmatched(fields) || is_empty(fields) ? "" : in_words(fields, named);
    if (words.empty()) continue;
    fmt::print(stderr, "copse: {}\n", printable(words));
    heard = true;
    const bool names_file =
        !is_plain_text(fields[0]) && fields[0] != "events" && fields[0] != "wrong";
    if (first_file.empty() && names_file) first_file = fields[1];
    ids = ids || fields[0] == "ids" ||
          (tells_of_checks(fields) && fs::exists(id_file_path(fields[1])));
  }
  say_what_matched_nothing(lines);
  for (const std::string& path : event_files_without_end(lines)) {
    fmt::print(stderr, "copse: killed JVM: its events up to the last block: copse events {}\n",
               shell_path(path));
    heard = true;
  }
  if (!heard && !snapshot.empty()) {
    fmt::print(stderr, "copse: no JVM ran to its end under this command; its last snapshot: {}{}\n",
               printable(snapshot), printable(unkept));
  } else if (!heard) {
    fmt::print(stderr, "copse: no {}: {}{}\n", command.recorded ? "whole trace" : "report",
               why_nothing_was_written(lines, command), printable(unkept));
  } else if (!first_file.empty() && command.recorded) {
    fmt::print(stderr, "copse: to get its report: copse replay {}\n", shell_path(first_file));
  } else if (!first_file.empty()) {
    say_how_to_look_at(first_file);
    if (ids) {
      fmt::print(stderr, "copse: to read ids: copse decode {} NUMBER...\n",
                 shell_path(id_file_path(first_file)));
    }
  }
}

}  // namespace copse
