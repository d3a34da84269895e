// The options that say which part of a report is shown (report/part/cut.h), of report and diff alike.
#pragma once

#include <string>
#include <vector>

#include "cli/parser.h"
#include "report/part/cut.h"

namespace copse::cli {

// Globs, one a time, as often as wanted. `globs` outlives the parse.
void add_globs(CLI::App& command, const char* name, std::vector<std::string>& globs,
               const char* help);

// --context, whose digits go to `context`, --thread, --focus and --root.
void add_part_options(CLI::App& command, std::string& context, report::PartOptions& to);

}  // namespace copse::cli
