// Describes the notes that agents leave in a manifest (agent/line/note.h) to a person.
#pragma once

#include <string>
#include <vector>

#include "agent/line/note.h"

namespace copse::cli {

// Returns "" if the note is of no interest to a person.
std::string in_words(const agent::Note& note);
// Prints how the ids of a run are decoded, if an id file lies beside its report.
void say_how_to_read_ids(const std::string& report);

// Returns true if no file that the notes name has a call or an event.
bool tell_of_nothing(const std::vector<agent::Note>& notes);

// Prints to standard error what the JVMs of a command wrote and how to use it.
struct CommandWords {
  bool recorded = false;   // into a trace
  bool of_values = false;  // the trace is a recording of values
  // agents came by the environment, not by an argument of a JVM
  bool is_reached_by_environment = false;
  std::string agent;  // the agent's library
};
void say_end_of_command(const std::vector<agent::Note>& notes, const CommandWords& command);

}  // namespace copse::cli
