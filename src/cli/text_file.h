// Reads a small file whole, for example a query.
#pragma once

#include <string>

#include "base/status.h"

namespace copse::cli {

// Error: "PATH: cannot be read, or is empty".
Result<std::string> text_of_file(const std::string& path);

}  // namespace copse::cli
