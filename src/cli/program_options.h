// Options that several commands share: what is recorded (run, record), how it is folded into a tree
// (run, replay).
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "agent/options.h"
#include "base/status.h"

namespace copse {

// Of a number without a sign: the parser takes -3 for a very large one.
CLI::Validator whole_number();

// --include, --exclude, --jdk, --packet-slots. `options` must outlive the parsing, as below.
void add_recording_options(CLI::App& command, AgentOptions& options);

// --keep-stack-size, of commands that start the program.
void add_stack_option(CLI::App& command, AgentOptions& options);

// What the parser cannot put into AgentOptions by itself.
struct FoldingWords {
  std::string engine;        // "": none named
  std::string memory;        // "": none named
  std::string snapshot;      // "": no snapshots
  std::string cpu_interval;  // "": as it is
  bool no_sites = false;
};
// The engines a command can use.
struct EngineChoice {
  std::vector<std::string> names;
  std::string help;
};
extern const EngineChoice kEnginesOfRuns;
extern const EngineChoice kEnginesOfReplays;  // no probes, so nothing in-line
// --no-sites, --fold-recursion, --engine, --event-every, --workers, --memory.
void add_folding_options(CLI::App& command, AgentOptions& options, FoldingWords& words,
                         const EngineChoice& engines);
// --fail-if-empty, of commands that leave a recording.
void add_fail_if_empty(CLI::App& command, bool& fail_if_empty);
inline constexpr const char* kFailedAsEmpty =
    "nothing was recorded, which --fail-if-empty makes a failure";
// --snapshot, of commands that record.
void add_snapshot_option(CLI::App& command, FoldingWords& words);
// After parsing: fills in the words, and which options of the command were named.
Status take_folding_words(const FoldingWords& words, AgentOptions& options);
void take_named_options(const CLI::App& command, AgentOptions& options);

// The agent's own parser has the last word on values, and on which go together, so that both ways
// in agree.
Status check_agent_options(const AgentOptions& options);

// Of options that were named the first one that `why` keeps from having an effect: "NAME: has no
// effect WHY". Ok when none was.
Status check_not_named(const CLI::App& command, const std::vector<std::string>& options,
                       const std::string& why);

}  // namespace copse
