// What agents leave in a manifest (agent/jvm/run_report.h), a line at a time, in words for a
// person.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace copse {

// Of all JVMs of a command, as their agents say.
struct CheckedIds {
  std::uint64_t entries = 0;       // whose ids were checked
  std::uint64_t without_id = 0;    // of these, or without a known context: not compared
  std::uint64_t ids = 0;           // different ones
  std::uint64_t wrong = 0;         // of the entries, compared at once
  std::uint64_t wrong_at_end = 0;  // of the different ones, compared again
  std::uint64_t collisions = 0;    // of ids that do not decode
  std::uint64_t stacks = 0;        // entries whose ids were compared with the JVM's stack too
  std::uint64_t stacks_wrong = 0;  // of these
};

// The fields of a line, at least one; the first says its kind.
std::vector<std::string> tab_separated(const std::string& line);

// Whether the line tells of a file that a JVM wrote, or that was written for it.
bool tells_of_file(const std::vector<std::string>& fields);

// Adds what a line tells of checked ids, if it does.
void add_checked(const std::vector<std::string>& fields, CheckedIds& sum);

// "" when the line says nothing to a person.
std::string manifest_line_in_words(const std::string& line);

// Whether no call and no event is in any file that the lines tell of.
bool tell_of_nothing(const std::vector<std::string>& lines);

// Prints to standard error what the JVMs of a command wrote, and what to do with it.
struct CommandWords {
  bool recorded = false;                   // into a trace
  bool is_reached_by_environment = false;  // not by an argument of a JVM
  std::string agent;                       // its library
};
void say_end_of_command(const std::vector<std::string>& lines, const CommandWords& command);

}  // namespace copse
