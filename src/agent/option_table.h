// Table of all options of a recording, one row each. The agent's option string, the command line and the
// options in a report are made from these rows.
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
  // Group of a report's options that shows the option (run_description.h); kNot: none.
  enum class Told { kNot, kRecording, kTree, kIds, kChecks };
  using Values = std::vector<std::string>;

  std::string_view key;    // in an agent's string
  std::string_view words;  // on the command line: "-o,--output"; "" if it has none
  unsigned modes;          // modes with the option: bits by the alternatives of Mode
  Form form;
  std::string_view shape;  // placeholder for the value: "FILE", "N"
  Told told;
  // Help on the command line, see help_of(). "" for an option of the agent's string only, which Copse itself
  // writes.
  std::string_view help;
  // Read and write the option. REQUIRES: the mode of the options is one of `modes`. take() stores a value, ""
  // for a flag; its error message continues after the option's name. given() returns the values that take()
  // would be given; a number includes its default.
  Status (*take)(AgentOptions&, std::string_view);
  Values (*given)(const AgentOptions&);

  bool is_of(const AgentOptions& options) const noexcept;
};

std::span<const OptionRow> option_rows();
// Returns nullptr for an unknown key.
const OptionRow* option_row(std::string_view key);
// Returns the help in the mode of `options`, with the names of encoders filled in.
std::string help_of(const OptionRow& row, const AgentOptions& options);
// Returns the replacement for an option of an older Copse, a key or "--words"; "" if there was no such option.
std::string former_option(std::string_view name, Spelling spelling);

// Returns whether the text is the name of a measure, with spaces around it or in capitals.
bool spells_measure(std::string_view text);

// Returns the option's value as reports show it.
std::string told_text(std::string_view key, const AgentOptions& options);

// Returns whether the option was named, or has another value than by default.
bool is_given(const OptionRow& row, const AgentOptions& options);

// Returns the values of all rows in one group: flags as "true" and "false", several values separated by blanks.
std::map<std::string, std::string> told_options(const AgentOptions& options, OptionRow::Told part);

}  // namespace copse::agent
