// Notes from the agent of a JVM to the command that it runs under, one a line, fields separated by tabs. Each
// struct below is one or more kinds of line, with the fields in the order of the line.
//
//   report PATH CALLS CONTEXTS LOST PROGRAM     ids PATH EVENTS CONTEXTS LOST PROGRAM
//   trace PATH CALLS BYTES LOST PROGRAM         events PATH EVENTS BYTES LOST PROGRAM
//   killed PATH CALLS CONTEXTS LOST PROGRAM     killed-ids PATH EVENTS CONTEXTS LOST PROGRAM
//   values PATH EVENTS BYTES LOST PROGRAM
//   validated PATH ENTRIES WITHOUT_ID LACKING IDS WRONG WRONG_AT_END COLLISIONS STACKS STACKS_WRONG STARTS STARTS_WITHOUT_ID
//   stack PATH ENCODER TOKENS ENTRIES MOST HAS_UNEXPECTED UNEXPECTED MOST_UNEXPECTED
//   fact PATH NAME VALUE    epoch PATH TRIGGER EDGES MAX_ID
//   claim PATH PID       snapshot PATH           appending PATH    checking PATH
//   attached PATH CLASSES REFUSED               restored CLASSES REFUSED
//   unmatched KEY=GLOB WHY                     unwritten PATH WHY
//   failed WHY    warning WHY    empty WHY    wrong WHY    unkept WHY    alive WHY
//
// `killed`, `killed-ids` and `alive` are written by the command for JVMs that could not do so themselves.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace copse::agent {

// A file that a JVM wrote at its end, or that was written for a killed JVM.
struct FileNote {
  enum class Kind { kReport, kIds, kTrace, kEvents, kKilled, kKilledIds, kValues };
  Kind kind = Kind::kReport;
  std::string path;
  std::uint64_t count = 0;  // calls or events
  std::uint64_t size = 0;   // contexts or bytes
  std::uint64_t lost = 0;   // calls or events that are not in `count`
  std::string program;      // what the JVM ran: program_name()
  // Methods whose recursion was merged because it made too many contexts.
  std::uint64_t merged = 0;

  // Returns true if an id file may lie beside the file.
  bool has_ids() const noexcept { return kind == Kind::kIds || kind == Kind::kKilledIds; }

  static constexpr std::array<std::string_view, 7> kKinds = {
      "report", "ids", "trace", "events", "killed", "killed-ids", "values"};
  auto fields() { return std::tie(path, count, size, lost, program, merged); }
  friend bool operator==(const FileNote&, const FileNote&) = default;
};

// Returns "3,018 calls in 8 contexts, 0 lost", in the units of the file's kind, and what was merged.
std::string contents_of(const FileNote& file);

// Result of comparing an encoder's ids with the calls.
struct CheckedIds {
  std::uint64_t entries = 0;       // method entries whose ids were checked
  std::uint64_t without_id = 0;    // of `entries`, not compared: no id or no known context
  std::uint64_t lacking = 0;       // of `entries`, right except for frames without probes
  std::uint64_t ids = 0;           // different ids
  std::uint64_t wrong = 0;         // of `entries`, when compared at once
  std::uint64_t wrong_at_end = 0;  // of `ids`, when compared again
  std::uint64_t collisions = 0;    // among ids that do not decode
  std::uint64_t stacks = 0;        // entries whose ids were compared with the JVM's stack too
  std::uint64_t stacks_wrong = 0;  // of `stacks`
  // Starts of threads whose contexts were checked as entries are; a wrong one counts in `wrong`.
  std::uint64_t starts = 0;
  std::uint64_t starts_without_id = 0;  // of `starts`, not compared

  auto fields() {
    return std::tie(entries, without_id, lacking, ids, wrong, wrong_at_end, collisions, stacks,
                    stacks_wrong, starts, starts_without_id);
  }
  CheckedIds& operator+=(const CheckedIds& other) noexcept;
  friend bool operator==(const CheckedIds&, const CheckedIds&) = default;
};
struct CheckNote {
  std::string path;  // of the report
  CheckedIds ids;

  static constexpr std::array<std::string_view, 1> kKinds = {"validated"};
  auto fields() { return std::tuple_cat(std::tie(path), ids.fields()); }
  friend bool operator==(const CheckNote&, const CheckNote&) = default;
};

// Figures of a JVM's encoder (figure_notes.h).
struct StackNote {
  std::string path;  // of the report, like in the two notes below
  std::string encoder;
  std::uint64_t tokens = 0;  // 0 means no stack
  std::uint64_t entries = 0;
  std::uint64_t most_entries = 0;
  std::uint64_t has_unexpected = 0;  // 1 or 0
  std::uint64_t unexpected = 0;
  std::uint64_t most_unexpected = 0;

  static constexpr std::array<std::string_view, 1> kKinds = {"stack"};
  auto fields() {
    return std::tie(path, encoder, tokens, entries, most_entries, has_unexpected, unexpected,
                    most_unexpected);
  }
  friend bool operator==(const StackNote&, const StackNote&) = default;
};
struct FactNote {
  std::string path;
  std::string name;
  std::uint64_t value = 0;

  static constexpr std::array<std::string_view, 1> kKinds = {"fact"};
  auto fields() { return std::tie(path, name, value); }
  friend bool operator==(const FactNote&, const FactNote&) = default;
};
struct EpochNote {
  std::string path;
  std::string trigger;
  std::uint64_t edges = 0;
  std::uint64_t max_id = 0;
  std::uint64_t ns = 0;

  static constexpr std::array<std::string_view, 1> kKinds = {"epoch"};
  auto fields() { return std::tie(path, trigger, edges, max_id, ns); }
  friend bool operator==(const EpochNote&, const EpochNote&) = default;
};

struct PathNote {
  enum class Kind {
    kSnapshot,   // the first of several snapshots is written
    kAppending,  // events are appended to `path` from now on
    kChecking,   // recording has ended; ids of the report at `path` are compared again
  };
  Kind kind = Kind::kSnapshot;
  std::string path;

  static constexpr std::array<std::string_view, 3> kKinds = {"snapshot", "appending", "checking"};
  auto fields() { return std::tie(path); }
  friend bool operator==(const PathNote&, const PathNote&) = default;
};

// Claim of an output path. The first process to claim a path owns it (output_path.h).
struct ClaimNote {
  std::string path;
  std::uint64_t pid = 0;

  static constexpr std::array<std::string_view, 1> kKinds = {"claim"};
  auto fields() { return std::tie(path, pid); }
  friend bool operator==(const ClaimNote&, const ClaimNote&) = default;
};

// Recording began (AttachedNote) or ended (RestoredNote) in a running JVM. Counts the loaded classes that were
// loaded again, and those that the JVM refused.
struct AttachedNote {
  std::string path;  // of the report
  std::uint64_t classes = 0;
  std::uint64_t refused = 0;
  std::uint64_t prepared_ms = 0;  // until all classes had probes and the recording began

  static constexpr std::array<std::string_view, 1> kKinds = {"attached"};
  auto fields() { return std::tie(path, classes, refused, prepared_ms); }
  friend bool operator==(const AttachedNote&, const AttachedNote&) = default;
};
struct RestoredNote {
  std::uint64_t classes = 0;
  std::uint64_t refused = 0;

  static constexpr std::array<std::string_view, 1> kKinds = {"restored"};
  auto fields() { return std::tie(classes, refused); }
  friend bool operator==(const RestoredNote&, const RestoredNote&) = default;
};

// A glob of an option matched nothing.
struct UnmatchedNote {
  std::string glob;  // "include=a.B"
  std::string why;

  static constexpr std::array<std::string_view, 1> kKinds = {"unmatched"};
  auto fields() { return std::tie(glob, why); }
  friend bool operator==(const UnmatchedNote&, const UnmatchedNote&) = default;
};

// A file of the run could not be written.
struct UnwrittenNote {
  std::string path;         // of the file; for an id file, of the report beside it
  std::string why;          // "PATH: WHY"
  std::string memory = {};  // file for copse recover, with the report in it; "": there is none

  static constexpr std::array<std::string_view, 1> kKinds = {"unwritten"};
  auto fields() { return std::tie(path, why, memory); }
  friend bool operator==(const UnwrittenNote&, const UnwrittenNote&) = default;
};

// A sentence for a person.
struct TextNote {
  enum class Kind {
    kFailed,
    kWarning,
    kEmpty,   // no calls and no events were recorded
    kWrong,   // a wrong id
    kUnkept,  // a killed JVM will leave nothing
    kAlive,   // a JVM outlives the command
  };
  Kind kind = Kind::kFailed;
  std::string text;

  static constexpr std::array<std::string_view, 6> kKinds = {"failed", "warning", "empty",
                                                             "wrong",  "unkept",  "alive"};
  auto fields() { return std::tie(text); }
  friend bool operator==(const TextNote&, const TextNote&) = default;
};

using Note = std::variant<FileNote, CheckNote, StackNote, FactNote, EpochNote, PathNote, ClaimNote,
                          AttachedNote, RestoredNote, UnmatchedNote, UnwrittenNote, TextNote>;

// Returns one line without its end. Tabs and line ends in the note's texts become spaces.
std::string note_line(Note note);
// Returns std::nullopt for lines of other kinds, or with other fields.
std::optional<Note> read_note(std::string_view line);

// Returns the first note of a kind; nullptr if there is none.
template <typename Kind>
const Kind* first_of(const std::vector<Note>& notes) noexcept {
  for (const Note& note : notes) {
    if (const Kind* found = std::get_if<Kind>(&note); found != nullptr) return found;
  }
  return nullptr;
}
// Returns the first sentence of a kind; nullptr if there is none.
const std::string* first_text(const std::vector<Note>& notes, TextNote::Kind kind) noexcept;

}  // namespace copse::agent
