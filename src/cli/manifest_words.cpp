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
                                 with_thousands(ids.tokens), with_thousands(ids.without_id),
                                 with_thousands(ids.ids));
  text +=
      fmt::format("wrong {} at once and {} at the end, {} collisions", with_thousands(ids.wrong),
                  with_thousands(ids.wrong_at_end), with_thousands(ids.collisions));
  if (ids.stacks != 0) {
    text += fmt::format("; {} ids checked against the JVM's own stack, {} wrong",
                        with_thousands(ids.stacks), with_thousands(ids.stacks_wrong));
  }
  return text;
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
  if (fields.size() == 2 && is_plain_text(fields[0])) return fields[1];
  if (!tells_of_file(fields)) return "";
  const bool in_bytes = fields[0] == "trace" || fields[0] == "events";
  const auto number = [&](std::size_t field) {
    return with_thousands(std::strtoull(fields[field].c_str(), nullptr, 10));
  };
  return fmt::format("{}{} {} in {} {}, {} lost: {}", of_whom(fields, named), number(2),
                     fields[0] == "ids" || fields[0] == "events" ? "events" : "calls", number(3),
                     in_bytes ? "bytes" : "contexts", number(4), fields[1]);
}

// Where several JVMs wrote files of one name, that tells which is whose.
bool tell_of_several_jvms(const std::vector<std::string>& lines) {
  std::size_t reports = 0;
  for (const std::string& line : lines) {
    const std::vector<std::string> fields = tab_separated(line);
    if (tells_of_file(fields) && fields[0] != "events") ++reports;
  }
  return reports > 1;
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

}  // namespace

std::vector<std::string> tab_separated(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
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

void say_end_of_command(const std::vector<std::string>& lines, bool recorded) {
  const bool named = tell_of_several_jvms(lines);
  std::string first_file;
  bool ids = false;
  bool heard = false;
  std::string snapshot;
  std::string unkept;
  std::vector<std::string> event_files;  // without an end
  for (const std::string& line : lines) {
    const std::vector<std::string> fields = tab_separated(line);
    if (fields.size() == 2 && fields[0] == "snapshot") snapshot = fields[1];
    if (fields.size() == 2 && fields[0] == "unkept") unkept = " (" + fields[1] + ")";
    if (fields.size() == 2 && fields[0] == "appending") event_files.push_back(fields[1]);
    if (fields[0] == "events") std::erase(event_files, fields[1]);
    const std::string words = in_words(fields, named);
    if (words.empty()) continue;
    fmt::print(stderr, "copse: {}\n", printable(words));
    heard = true;
    const bool names_file =
        !is_plain_text(fields[0]) && fields[0] != "events" && fields[0] != "wrong";
    if (first_file.empty() && names_file) first_file = fields[1];
    ids =
        ids || fields[0] == "ids" || (tells_of_checks(fields) && fs::exists(graph_path(fields[1])));
  }
  for (const std::string& path : event_files) {
    fmt::print(stderr, "copse: killed JVM: its events up to the last block: copse events {}\n",
               shell_path(path));
    heard = true;
  }
  if (!heard && !snapshot.empty()) {
    fmt::print(stderr, "copse: no JVM ran to its end under this command; its last snapshot: {}{}\n",
               printable(snapshot), printable(unkept));
  } else if (!heard) {
    fmt::print(stderr, "copse: no {}: no JVM ran to its end under this command{}\n",
               recorded ? "whole trace" : "report", printable(unkept));
  } else if (!first_file.empty() && recorded) {
    fmt::print(stderr, "copse: to get its report: copse replay {}\n", shell_path(first_file));
  } else if (!first_file.empty()) {
    say_how_to_look_at(first_file);
    if (ids) {
      fmt::print(stderr, "copse: to read ids: copse decode --graph {} --ids NUMBER...\n",
                 shell_path(graph_path(first_file)));
    }
  }
}

}  // namespace copse
