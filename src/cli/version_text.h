// Text of copse --version.
#pragma once

#include <string>

namespace copse::cli {

// "copse 0.1.0", and below it the commit, the JDKs it is tested with, and what this build has.
std::string version_text();

}  // namespace copse::cli
