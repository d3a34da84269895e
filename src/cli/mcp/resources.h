// The resources of copse mcp: summaries of the reports in the working folder, and the help of each command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/command_outline.h"

namespace copse::cli {

// Results of resources/list and resources/templates/list, as JSON.
std::string resources_as_json(const std::vector<CommandOutline>& commands);
std::string templates_as_json();

// Returns the result of resources/read, as JSON. Error: no such resource, or a report that cannot be read.
// Called by: as answer_call().
Result<std::string> read_resource(std::string_view uri);
// Returns the file of a report's URI; "" for other ones.
std::string report_of_uri(std::string_view uri);

}  // namespace copse::cli
