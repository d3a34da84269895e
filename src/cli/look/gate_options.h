// The options of copse diff that make it a gate: rules, and where their outcomes go (src/compare/gate).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/parser.h"
#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"

namespace copse::cli {

// Of a gate: 1 is a broken rule alone, so that whatever goes wrong is 2.
inline constexpr int kCannotSay = 2;

struct GateOptions {
  std::vector<std::string> typed;  // rules
  std::vector<std::string> files;  // of rules
  std::string junit;               // "": none
  bool asked_for() const { return !typed.empty() || !files.empty() || !junit.empty(); }
};

// `to` outlives the parse.
void add_gate_options(CLI::App& command, GateOptions& to);

// All of them, those that were typed first. The error may have several lines, with a caret below a
// rule's column; printable.
Result<std::vector<gate::Rule>> read_rules(const GateOptions& options);

// Evaluates the rules, prints their outcomes to standard output, writes them as JUnit's XML and has the
// comparison keep them. Returns the exit status: 0, 1, or 2 when a rule cannot be said, or the outcomes not be written.
int judge(const std::vector<gate::Rule>& rules, diff::Comparison& comparison,
          const GateOptions& options);

}  // namespace copse::cli
