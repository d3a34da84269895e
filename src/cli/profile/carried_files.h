// Files that a command carries at the end of its own file: a zip archive that scripts/package appends, with the agent, its
// library and the Java libraries. So the command alone can be copied to another machine.
#pragma once

#include <filesystem>

#include "base/status.h"

namespace copse::cli {

// Unpacks the archive into a folder of the user's cache (XDG_CACHE_HOME, ~/.cache, else /tmp), named by a hash of its
// contents, and returns the folder. The folder is this user's alone. Files that are there already are compared with the
// archive's, byte for byte; a file that differs is replaced in one step. Errors: kNotFound if the command carries nothing;
// no folder can be written.
Result<std::filesystem::path> carried_files();

}  // namespace copse::cli
