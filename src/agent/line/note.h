// What the agent of a JVM tells the command that it runs under: notes, one a line, their fields
// separated by tabs. Each struct below is one or more kinds of line; the fields are in its order.
//
//   report PATH CALLS CONTEXTS LOST PROGRAM     ids PATH EVENTS CONTEXTS LOST PROGRAM
//   trace PATH CALLS BYTES LOST PROGRAM         events PATH EVENTS BYTES LOST PROGRAM
//   killed PATH CALLS CONTEXTS LOST PROGRAM     killed-ids PATH EVENTS CONTEXTS LOST PROGRAM
//   values PATH EVENTS BYTES LOST PROGRAM
//   validated PATH ENTRIES WITHOUT_ID LACKING IDS WRONG WRONG_AT_END COLLISIONS STACKS STACKS_WRONG
//   claim PATH PID       snapshot PATH           appending PATH    checking PATH
//   attached PATH CLASSES REFUSED               restored CLASSES REFUSED
//   unmatched KEY=GLOB WHY
//   failed WHY    warning WHY    empty WHY    wrong WHY    unkept WHY    alive WHY
//
// `killed`, `killed-ids` and `alive` are the command's own, of JVMs that could not tell it themselves.
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

// A file that a JVM wrote at its end, or that was written for one that was killed.
struct FileNote {
  enum class Kind { kReport, kIds, kTrace, kEvents, kKilled, kKilledIds, kValues };
  Kind kind = Kind::kReport;
  std::string path;
  std::uint64_t count = 0;  // of calls or events
  std::uint64_t size = 0;   // contexts or bytes
  std::uint64_t lost = 0;   // beside the count
  std::string program;      // what the JVM ran: program_name()

  // True if an id file may lie beside it.
  bool has_ids() const noexcept { return kind == Kind::kIds || kind == Kind::kKilledIds; }

  static constexpr std::array<std::string_view, 7> kKinds = {
      "report", "ids", "trace", "events", "killed", "killed-ids", "values"};
  auto fields() { return std::tie(path, count, size, lost, program); }
  friend bool operator==(const FileNote&, const FileNote&) = default;
};

// "3,018 calls in 8 contexts, 0 lost", in the units of its kind.
std::string contents_of(const FileNote& file);

// How an encoder's ids compared with the calls.
struct CheckedIds {
  std::uint64_t entries = 0;       // whose ids were checked
  std::uint64_t without_id = 0;    // of these, or without a known context: not compared
  std::uint64_t lacking = 0;       // of these, right but for frames without probes
  std::uint64_t ids = 0;           // different ones
  std::uint64_t wrong = 0;         // of the entries, compared at once
  std::uint64_t wrong_at_end = 0;  // of the different ones, compared again
  std::uint64_t collisions = 0;    // of ids that do not decode
  std::uint64_t stacks = 0;        // entries whose ids were compared with the JVM's stack too
  std::uint64_t stacks_wrong = 0;  // of these

  auto fields() {
    return std::tie(entries, without_id, lacking, ids, wrong, wrong_at_end, collisions, stacks,
                    stacks_wrong);
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

struct PathNote {
  enum class Kind {
    kSnapshot,   // the first of several is there
    kAppending,  // events go there from now on
    kChecking,  // recording has ended, and the ids of the report that goes there are compared again
  };
  Kind kind = Kind::kSnapshot;
  std::string path;

  static constexpr std::array<std::string_view, 3> kKinds = {"snapshot", "appending", "checking"};
  auto fields() { return std::tie(path); }
  friend bool operator==(const PathNote&, const PathNote&) = default;
};

// A path is the process's that claimed it first (output_path.h).
struct ClaimNote {
  std::string path;
  std::uint64_t pid = 0;

  static constexpr std::array<std::string_view, 1> kKinds = {"claim"};
  auto fields() { return std::tie(path, pid); }
  friend bool operator==(const ClaimNote&, const ClaimNote&) = default;
};

// Recording has begun, or ended, in a JVM that runs: loaded classes were loaded again, and some
// refused.
struct AttachedNote {
  std::string path;  // of the report
  std::uint64_t classes = 0;
  std::uint64_t refused = 0;

  static constexpr std::array<std::string_view, 1> kKinds = {"attached"};
  auto fields() { return std::tie(path, classes, refused); }
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

// A sentence for a person.
struct TextNote {
  enum class Kind {
    kFailed,
    kWarning,
    kEmpty,   // no calls and no events were recorded
    kWrong,   // an id that was
    kUnkept,  // nothing will be left of a killed JVM
    kAlive,   // a JVM outlives the command
  };
  Kind kind = Kind::kFailed;
  std::string text;

  static constexpr std::array<std::string_view, 6> kKinds = {"failed", "warning", "empty",
                                                             "wrong",  "unkept",  "alive"};
  auto fields() { return std::tie(text); }
  friend bool operator==(const TextNote&, const TextNote&) = default;
};

using Note = std::variant<FileNote, CheckNote, PathNote, ClaimNote, AttachedNote, RestoredNote,
                          UnmatchedNote, TextNote>;

// One line without its end, whatever the note's texts are: tabs and line ends in them become
// spaces.
std::string note_line(Note note);
// Nothing for lines of other kinds, or with other fields.
std::optional<Note> read_note(std::string_view line);

// The first note of a kind; null when there is none.
template <typename Kind>
const Kind* first_of(const std::vector<Note>& notes) noexcept {
  for (const Note& note : notes) {
    if (const Kind* found = std::get_if<Kind>(&note); found != nullptr) return found;
  }
  return nullptr;
}
// The first sentence of a kind; null when there is none.
const std::string* first_text(const std::vector<Note>& notes, TextNote::Kind kind) noexcept;

}  // namespace copse::agent
