// Explains parser errors to the user who typed the command.
#pragma once

#include <string>
#include <vector>

#include "cli/parser.h"

namespace copse::cli {

// Returns a sentence for an error of the parser, with the nearest right spelling if there is one. `words`: the words
// after copse, without a program's command line.
std::string explain(const CLI::App& app, const CLI::ParseError& error,
                    const std::vector<std::string>& words);

}  // namespace copse::cli
