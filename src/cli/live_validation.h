// copse validate -- COMMAND: context ids of a running program against its JVM's own stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace copse {

struct LiveValidation {
  std::vector<std::string> command;  // at least one word
  std::vector<std::string> marks;    // globs of the methods whose entries are checked; none: all
  std::string encoder = "segment";
  std::string graph;          // report of an earlier run, where the encoder needs one
  std::uint64_t every = 100;  // of a thread's marked entries one in so many is checked
};

// Runs the command. The exit status: 0 when ids were checked and none was wrong, else 1. What was
// checked is in the report that the run leaves, copse-validate-PID.json.
int validate_live(const LiveValidation& wanted);

}  // namespace copse
