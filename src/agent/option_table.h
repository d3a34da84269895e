// Every option of a recording, a row each: the agent's option string, the command line and what a report says of its run are
// made from these rows.
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
  unsigned modes;          // that have it: bits by the alternatives of Mode
  Form form;
  std::string_view shape;  // of its value: "FILE", "N"
  Told told;
  // On the command line: see help_of(). Of an agent's alone "": only Copse itself gives it.
  std::string_view help;
  // Take and give for options of these modes alone. take(): a value, or "" of a flag; the message goes on where the option's
  // name ends. given(): what take() would be given; a number has its default too.
  Status (*take)(AgentOptions&, std::string_view);
  Values (*given)(const AgentOptions&);

  bool is_of(const AgentOptions& options) const noexcept;
};

std::span<const OptionRow> option_rows();
// Returns nullptr for an unknown key.
const OptionRow* option_row(std::string_view key);
// Returns the help in the mode of `options`, with the names of encoders filled in.
std::string help_of(const OptionRow& row, const AgentOptions& options);
// Returns what a person writes today in the place of an option of an older Copse, a key or "--words"; "" if there was none.
std::string former_option(std::string_view name, Spelling spelling);

// Returns whether the text is the name of a measure, with spaces around it or in capitals.
bool spells_measure(std::string_view text);

// The option's value as reports tell it.
std::string told_text(std::string_view key, const AgentOptions& options);

// Returns whether the option was named, or has another value than by default.
bool is_given(const OptionRow& row, const AgentOptions& options);

// The values of one part of the rows, flags as "true" and "false", several values with blanks.
std::map<std::string, std::string> told_options(const AgentOptions& options, OptionRow::Told part);

}  // namespace copse::agent
