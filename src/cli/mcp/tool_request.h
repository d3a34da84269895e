// A call of a tool, checked against the table.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/mcp/json.h"
#include "cli/mcp/tools.h"

namespace copse::cli {

struct ToolRequest {
  const Tool* tool = nullptr;
  // Values as words of a command line, by parameter; a flag that is set has "true".
  std::map<std::string, std::vector<std::string>, std::less<>> values;

  bool has(std::string_view parameter) const { return values.contains(parameter); }
  // Returns the first value, or `otherwise`.
  std::string text(std::string_view parameter, std::string otherwise = "") const;
  std::uint64_t number(std::string_view parameter, std::uint64_t otherwise) const;
  std::vector<std::string> texts(std::string_view parameter) const;
  // Returns the parameter that needs --allow-run; "" if none was given.
  std::string_view runs_with() const;
  // Returns the reports to read, in the order of the parameters.
  std::vector<std::string> reports() const;
};

// The error names the parameter: "callers: method: is missing".
Result<ToolRequest> read_request(const Tool& tool, const Json& arguments);

// Returns the tool's command line, without `copse`, `command` and the values of the server's own parameters.
std::vector<std::string> words_of(const ToolRequest& request);

// Returns a message of a command with the names of parameters in place of those of options.
std::string with_parameters(const Tool& tool, std::string message);

}  // namespace copse::cli
