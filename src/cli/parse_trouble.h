// What the parser did not understand, in words for who typed it.
#pragma once

#include <string>
#include <vector>

#include "cli/parser.h"

namespace copse::cli {

// A sentence for an error of the parser, with the nearest right spelling where there is one.
// `words`: what was typed behind copse, without a program's command line.
std::string explain(const CLI::App& app, const CLI::ParseError& error,
                    const std::vector<std::string>& words);

}  // namespace copse::cli
