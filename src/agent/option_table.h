// Every option of a recording, a row each: the agent's option string, the command line and what a
// report says of its run are made from these rows.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/options.h"
#include "base/status.h"

namespace copse::agent {

struct OptionRow {
  enum class Form { kFlag, kValue, kValues };  // kValues: may be given more than once
  // Which of a report's options it is among (run_description.h).
  enum class Told { kNot, kRecording, kTree, kIds, kChecks };
  using Values = std::vector<std::string>;

  std::string_view key;    // in an agent's string
  std::string_view words;  // on the command line: "-o,--output"; "": an agent's alone
  Form form;
  std::string_view shape;  // of its value: "FILE", "N"
  Told told;
  // On the command line: see help_of(). Of an agent's alone "": only Copse itself gives it.
  std::string_view help;
  // Takes a value, or "" of a flag. The message goes on where the option's name ends.
  Status (*take)(AgentOptions&, std::string_view);
  // What take() would be given: "" of a flag that is set. A number has its default too.
  Values (*given)(const AgentOptions&);
};

std::span<const OptionRow> option_rows();
// Null: no such key.
const OptionRow* option_row(std::string_view key);
// With the names of the live encoders for {live}, and of those that need a graph for {static}.
std::string help_of(const OptionRow& row);
// The key today of an option that had this one in an older Copse; "": there was none.
std::string_view renamed_option(std::string_view key);

// One of kMeasureNames, with spaces around it or in capitals.
bool spells_measure(std::string_view text);

// The option's value as reports tell it.
std::string told_text(std::string_view key, const AgentOptions& options);

// Whether the option was named, or has another value than in `base`.
bool is_given(const OptionRow& row, const AgentOptions& options, const AgentOptions& base);

// The values of one part of the rows, flags as "true" and "false", several values with blanks.
std::map<std::string, std::string> told_options(const AgentOptions& options, OptionRow::Told part);

}  // namespace copse::agent
