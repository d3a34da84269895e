// Options that make copse diff a gate: rules, and where their outcomes go (src/compare/gate).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/parser.h"
#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"

namespace copse::cli {

// Exit status of a gate after any other failure; 1 means a broken rule only.
inline constexpr int kCannotSay = 2;
// Contexts of a broken rule that are shown without --top.
inline constexpr std::size_t kContextsOfRule = 5;

struct GateOptions {
  std::vector<std::string> typed;  // rules from the command line
  std::vector<std::string> files;  // files of rules
  std::string junit;               // "" means none
  bool asked_for() const { return !typed.empty() || !files.empty() || !junit.empty(); }
};

// REQUIRES: `to` outlives the parse.
void add_gate_options(CLI::App& command, GateOptions& to);

// Returns all rules, those of the command line first. The error may have several lines, with a caret below a rule's
// column; printable.
Result<std::vector<gate::Rule>> read_rules(const GateOptions& options);

// Evaluates the rules, prints their outcomes to standard output, with `contexts` of each broken rule, writes them as JUnit XML and stores them in the
// comparison. Returns the exit status: 0, 1, or 2 if a rule cannot be decided or the outcomes cannot be written.
int judge(const std::vector<gate::Rule>& rules, diff::Comparison& comparison,
          const GateOptions& options, std::size_t contexts, std::size_t width);

}  // namespace copse::cli
