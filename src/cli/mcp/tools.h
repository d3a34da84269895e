// The tools of copse mcp: one table, from which come their descriptions and schemas, the command of Copse that answers,
// and the list in `copse help mcp`. Texts about commands and options are those of the help (command_outline.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_outline.h"

namespace copse::cli {

enum class ValueKind : std::uint8_t { kText, kTexts, kReport, kReports, kCount, kNumber, kFlag };

struct ToolParameter {
  std::string_view name;
  ValueKind kind;
  // Option of the tool's command, "--top", or its argument, "file": both get the value. "" for one of the server's own.
  std::string_view option;
  // Description, where it is not the help's of that option.
  std::string_view about;
  bool is_required = false;
};

// Part of an answer that is made smaller when the answer is too long.
enum class Shrinks : std::uint8_t { kNothing, kTop, kMinPercent };

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view about;    // when to use it
  std::string_view command;  // of Copse
  std::string_view option;   // whose help belongs to the description; "" means the command's own
  Shrinks shrinks;
  // Starts or changes a process when one of these parameters is given; refused without --allow-run.
  std::vector<std::string_view> runs_with;
  std::vector<ToolParameter> parameters;
};

const std::vector<Tool>& tools();
// Returns nullptr if there is none.
const Tool* find_tool(std::string_view name);

// The result of tools/list, as JSON.
std::string tools_as_json(const std::vector<CommandOutline>& commands);
// Lines for the help.
std::string tools_in_words();

// Bytes of an answer.
inline constexpr std::uint64_t kLeastAnswer = 1'000, kUsualAnswer = 8'000, kMostAnswer = 100'000;

}  // namespace copse::cli
