// Relational queries to programs that run, and to recordings of their values.
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
  std::string output;  // "": standard error, since standard output is the program's
  std::uint64_t frames = agent::kNearFrames;  // of contexts that no query names; 0: none
  bool stop = false;                          // the program is ended at the first answer
};

// Each gives the exit status, when it has said what there is to say.

// Runs a command, and answers while it does. The status is the command's.
int answer_from_command(const LiveQuestion& question, std::vector<std::string> command);
// Of a JVM that runs already, for so long, or until an interrupt.
int answer_from_jvm(const LiveQuestion& question, const std::string& jvm, std::uint64_t time_ms);
// Of a file that copse record --values wrote; to standard output where no other is asked for.
int answer_from_recording(const LiveQuestion& question, const std::string& path);

}  // namespace copse::cli
