#include "cli/profile/manifest_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <variant>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/shell_word.h"
#include "cli/messages.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

namespace fs = std::filesystem;

std::string words_of(const agent::CheckedIds& ids) {
  std::string text = fmt::format(
      "{} checked, {} of them without an id; {}, wrong {} at once and {} at the end, {}",
      counted(ids.entries, "entry", "entries"), grouped(ids.without_id),
      counted(ids.ids, "different id"), grouped(ids.wrong), grouped(ids.wrong_at_end),
      counted(ids.collisions, "collision"));
  if (ids.lacking != 0) {
    text += fmt::format(", {} without frames of methods that have no probes",
                        counted(ids.lacking, "entry", "entries"));
  }
  if (ids.stacks != 0) {
    text += fmt::format("; {} checked against the JVM's own stack, {} wrong",
                        counted(ids.stacks, "id"), grouped(ids.stacks_wrong));
  }
  if (ids.starts != 0) {
    text += fmt::format("; {} checked too, {} of them without an id",
                        counted(ids.starts, "start of a thread", "starts of threads"),
                        grouped(ids.starts_without_id));
  }
  return text;
}

std::string of_whom(const agent::FileNote& file, bool named) {
  const std::string name = named ? file.program : "";
  using Kind = agent::FileNote::Kind;
  if (file.kind == Kind::kKilled || file.kind == Kind::kKilledIds) {
    return "killed JVM" + (named ? " " + name : name) + ": ";
  }
  return named ? name + ": " : "";
}

// `named`: with what the JVM ran.
struct InWords {
  bool named = false;

  std::string operator()(const agent::FileNote& file) const {
    return fmt::format("{}{}: {}", of_whom(file, named), agent::contents_of(file), file.path);
  }
  std::string operator()(const agent::CheckNote& check) const {
    return words_of(check.ids) + ": " + check.path;
  }
  std::string operator()(const agent::UnmatchedNote& unmatched) const { return unmatched.why; }
  std::string operator()(const agent::UnwrittenNote& unwritten) const {
    if (unwritten.memory.empty()) return unwritten.why;
    std::string text =
        unwritten.why + "; when that is set right: copse recover " + shell_path(unwritten.memory);
    if (unwritten.path != unwritten.memory) text += " -o " + shell_path(unwritten.path);
    return text;
  }
  std::string operator()(const agent::TextNote& text) const {
    switch (text.kind) {
      case agent::TextNote::Kind::kWrong:
        return "wrong: " + text.text;
      case agent::TextNote::Kind::kUnkept:
        return "";
      default:
        return text.text;
    }
  }
  // A command that shows figures puts them together.
  std::string operator()(const agent::StackNote&) const { return ""; }
  std::string operator()(const agent::FactNote&) const { return ""; }
  std::string operator()(const agent::EpochNote&) const { return ""; }
  std::string operator()(const agent::PathNote&) const { return ""; }
  std::string operator()(const agent::ClaimNote&) const { return ""; }
  std::string operator()(const agent::AttachedNote&) const { return ""; }
  std::string operator()(const agent::RestoredNote&) const { return ""; }
};

bool is_of(const agent::FileNote& file, agent::FileNote::Kind kind) { return file.kind == kind; }

std::vector<std::string> event_files_without_end(const std::vector<agent::Note>& notes) {
  std::vector<std::string> paths;
  for (const agent::Note& note : notes) {
    const auto* path = std::get_if<agent::PathNote>(&note);
    if (path != nullptr && path->kind == agent::PathNote::Kind::kAppending)
      paths.push_back(path->path);
    const auto* file = std::get_if<agent::FileNote>(&note);
    if (file != nullptr && is_of(*file, agent::FileNote::Kind::kEvents))
      std::erase(paths, file->path);
  }
  return paths;
}

// Traces, or recordings of values, of JVMs that told neither of their end nor of a failure.
std::vector<std::string> recordings_without_end(const std::vector<agent::Note>& notes) {
  std::vector<std::string> paths;
  for (const agent::Note& note : notes) {
    if (std::holds_alternative<agent::UnwrittenNote>(note)) return {};
    const auto* claim = std::get_if<agent::ClaimNote>(&note);
    if (claim != nullptr) paths.push_back(claim->path);
  }
  std::erase_if(paths, [&](const std::string& path) {
    std::error_code error;
    return fs::file_size(path, error) == 0 || error ||
           std::ranges::any_of(notes, [&](const agent::Note& note) {
             const auto* file = std::get_if<agent::FileNote>(&note);
             return file != nullptr && file->path == path;
           });
  });
  return paths;
}

// JVMs that wrote a file at their end.
std::size_t jvms_in(const std::vector<agent::Note>& notes) {
  return static_cast<std::size_t>(std::ranges::count_if(notes, [](const agent::Note& note) {
    const auto* file = std::get_if<agent::FileNote>(&note);
    return file != nullptr && !is_of(*file, agent::FileNote::Kind::kEvents);
  }));
}

// A doubt about one JVM: a glob of its options matched nothing, or nothing was recorded.
struct Doubt {
  std::string what;
  std::string sentence;
  std::size_t jvms = 0;
};
std::optional<Doubt> doubt_in(const agent::Note& note) {
  if (const auto* unmatched = std::get_if<agent::UnmatchedNote>(&note)) {
    return Doubt{unmatched->glob, unmatched->why};
  }
  const auto* text = std::get_if<agent::TextNote>(&note);
  if (text == nullptr || text->kind != agent::TextNote::Kind::kEmpty) return std::nullopt;
  return Doubt{"", text->text};
}

// Prints each doubt that all JVMs of a command share, once. Doubts of some JVMs stay in their reports: a build tool's
// own JVM has none of the classes that its tests have.
void say_what_matched_nothing(const std::vector<agent::Note>& notes) {
  std::vector<Doubt> doubts;  // in the order of the notes
  for (const agent::Note& note : notes) {
    std::optional<Doubt> doubt = doubt_in(note);
    if (!doubt) continue;
    auto known = std::ranges::find(doubts, doubt->what, &Doubt::what);
    if (known == doubts.end()) known = doubts.insert(known, *doubt);
    ++known->jvms;
    // The longest knows most: one JVM may have loaded what another has not.
    if (doubt->sentence.size() > known->sentence.size()) known->sentence = doubt->sentence;
  }
  for (const Doubt& doubt : doubts) {
    if (doubt.jvms >= jvms_in(notes)) say(doubt.sentence);
  }
}

// A file of text is looked at as everybody likes.
void say_how_to_look_at(const std::string& report) {
  const report::ReportFormat format = report::format_of_file(report);
  if (format == report::ReportFormat::kHtml) {
    say(fmt::format("to look at it, open it in a browser: {}", report));
  } else if (format == report::ReportFormat::kJson) {
    const std::string page = fs::path(report).replace_extension(".html").string();
    say(fmt::format("to look at it: copse report {} -o {}", shell_path(report), shell_path(page)));
  }
}

std::string why_nothing_was_written(const std::vector<agent::Note>& notes,
                                    const CommandWords& command) {
  if (agent::first_of<agent::ClaimNote>(notes) != nullptr)
    return "no JVM ran to its end under this command";
  if (!command.is_reached_by_environment) return "no JVM came up under this command";
  return fmt::format(
      "no JVM came up under this command, or with another environment (env -i, sudo), or to make a "
      "class archive (-XX:ArchiveClassesAtExit), for which it takes no agent; the first is reached "
      "with java -agentpath:{}=out=FILE",
      shell_word(command.agent));
}

// Summary of the notes of all JVMs.
struct Heard {
  std::string first_file;  // first file that can be shown; "" if none
  bool ids = false;        // ids decode with the file beside it
  bool anything = false;
  std::string snapshot;  // last snapshot; "" if none
  std::string unkept;    // why no kept run is left, in brackets
};

void add(const agent::Note& note, Heard& heard) {
  if (const auto* file = std::get_if<agent::FileNote>(&note)) {
    if (heard.first_file.empty() && !is_of(*file, agent::FileNote::Kind::kEvents)) {
      heard.first_file = file->path;
    }
    heard.ids = heard.ids || file->has_ids();
  } else if (const auto* check = std::get_if<agent::CheckNote>(&note)) {
    if (heard.first_file.empty()) heard.first_file = check->path;
    heard.ids = true;
  } else if (const auto* path = std::get_if<agent::PathNote>(&note)) {
    if (path->kind == agent::PathNote::Kind::kSnapshot) heard.snapshot = path->path;
  } else if (const auto* text = std::get_if<agent::TextNote>(&note)) {
    if (text->kind == agent::TextNote::Kind::kUnkept) heard.unkept = " (" + text->text + ")";
  }
}

}  // namespace

std::string in_words(const agent::Note& note) { return std::visit(InWords{}, note); }

void say_how_to_read_ids(const std::string& report) {
  const std::string ids = agent::id_file_path(report);
  std::error_code error;
  if (!fs::exists(ids, error)) return;
  say(fmt::format("to read ids: copse decode {} NUMBER...", shell_path(ids)));
}

bool tell_of_nothing(const std::vector<agent::Note>& notes) {
  for (const agent::Note& note : notes) {
    const auto* file = std::get_if<agent::FileNote>(&note);
    if (file != nullptr && file->count != 0) return false;
    const auto* path = std::get_if<agent::PathNote>(&note);
    if (path != nullptr && path->kind == agent::PathNote::Kind::kSnapshot) return false;
  }
  // For a killed JVM, only the file shows whether it had an event.
  const std::vector<std::string> unended = event_files_without_end(notes);
  return std::none_of(unended.begin(), unended.end(), [](const std::string& path) {
    std::error_code error;
    return fs::file_size(path, error) > 0 && !error;
  });
}

void say_end_of_command(const std::vector<agent::Note>& notes, const CommandWords& command) {
  const bool named = jvms_in(notes) > 1;
  Heard heard;
  for (const agent::Note& note : notes) {
    add(note, heard);
    const std::string words = doubt_in(note) ? "" : std::visit(InWords{named}, note);
    if (words.empty()) continue;
    say(words);
    heard.anything = true;
  }
  say_what_matched_nothing(notes);
  for (const std::string& path : event_files_without_end(notes)) {
    say(fmt::format("killed JVM: its events up to the last block: copse events {}",
                    shell_path(path)));
    heard.anything = true;
  }
  if (command.recorded) {
    for (const std::string& path : recordings_without_end(notes)) {
      say(fmt::format("killed JVM: its {} up to the last block: copse {} {}",
                      command.of_values ? "values" : "calls",
                      command.of_values ? "ptql QUERY" : "replay", shell_path(path)));
      heard.anything = true;
    }
  }
  if (!heard.anything && !heard.snapshot.empty()) {
    say(fmt::format("no JVM ran to its end under this command; its last snapshot: {}{}",
                    heard.snapshot, heard.unkept));
    say_how_to_read_ids(heard.snapshot);
  } else if (!heard.anything) {
    say(fmt::format("no {}: {}{}", command.recorded ? "whole trace" : "report",
                    why_nothing_was_written(notes, command), heard.unkept));
  } else if (!heard.first_file.empty() && command.recorded) {
    say(fmt::format(
        "{} {}",
        command.of_values ? "to ask it: copse ptql QUERY" : "to get its report: copse replay",
        shell_path(heard.first_file)));
  } else if (!heard.first_file.empty()) {
    say_how_to_look_at(heard.first_file);
    if (heard.ids) say_how_to_read_ids(heard.first_file);
  }
}

}  // namespace copse::cli
