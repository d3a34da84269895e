// Arguments of copse diff, and of copse baseline check with a baseline as OLD.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/id_rule_options.h"
#include "cli/look/gate_options.h"
#include "cli/parser.h"
#include "compare/diff/cut.h"

namespace copse::cli {

struct DiffArguments {
  std::string old_file, new_file;
  std::string format;
  std::string output;                // "" or "-": standard output
  std::string measure;               // "": calls where they were counted
  std::optional<std::size_t> top;    // as the format has it
  std::optional<std::size_t> width;  // of a text's lines
  std::vector<std::string> without;  // kIdle, kJvm
  bool shows_all = false;            // --all: amounts of these, too
  // Slices of the reports, in their order; one is of both.
  std::vector<std::string> slices;
  std::vector<std::string> renamed;  // OLD=NEW
  IdRuleOptions id_rules;
  diff::CutOptions cut;
  GateOptions gate;
  bool to_stdout() const { return output.empty() || output == "-"; }
};

// Adds --renamed.
void add_renamed_option(CLI::App& command, std::vector<std::string>& renamed);

bool is_baseline(const std::string& file);

// Compares the reports, judges the rules and writes what was asked for. Returns the exit status. `command`: its options are
// those that were typed.
int diff_reports(const CLI::App& command, const DiffArguments& arguments);

}  // namespace copse::cli
