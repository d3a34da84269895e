// Answers relational queries about running programs and recordings of their values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/options.h"
#include "cli/look/ptql_answers.h"
#include "cli/look/ptql_queries.h"
#include "ptql/engine/engine.h"

namespace copse::cli {

struct LiveQuestion {
  const AskedQueries& asked;
  ptql::EngineOptions engine{};
  AnswerFormat format = AnswerFormat::kText;
  std::string output;  // "": standard error, because standard output is the program's
  std::uint64_t frames = agent::kNearFrames;  // of contexts that no query names; 0 means none
  bool stop = false;                          // end the program at the first answer
};

// Each function prints its own messages and returns the exit status.

// Runs a command and answers meanwhile. Returns the command's status.
int answer_from_command(const LiveQuestion& question, std::vector<std::string> command);
// Answers about a running JVM, for `time_ms`, or until an interrupt.
int answer_from_jvm(const LiveQuestion& question, const std::string& jvm, std::uint64_t time_ms);
// Answers about a file of copse record --values, on standard output unless another output is given.
int answer_from_recording(const LiveQuestion& question, const std::string& path);

}  // namespace copse::cli
