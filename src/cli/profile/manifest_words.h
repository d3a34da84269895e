// What agents leave in a manifest (agent/line/note.h), in words for a person.
#pragma once

#include <string>
#include <vector>

#include "agent/line/note.h"

namespace copse::cli {

// "" when the note says nothing to a person.
std::string in_words(const agent::Note& note);
// Says how the ids of a run decode, where an id file lies beside its report.
void say_how_to_read_ids(const std::string& report);

// Whether no call and no event is in any file that the notes tell of.
bool tell_of_nothing(const std::vector<agent::Note>& notes);

// Prints to standard error what the JVMs of a command wrote, and what to do with it.
struct CommandWords {
  bool recorded = false;                   // into a trace
  bool of_values = false;                  // which is a recording of values
  bool is_reached_by_environment = false;  // not by an argument of a JVM
  std::string agent;                       // its library
};
void say_end_of_command(const std::vector<agent::Note>& notes, const CommandWords& command);

}  // namespace copse::cli
