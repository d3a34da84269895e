#include "cli/passing_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace copse::cli {

PassingFolder::PassingFolder() {
  const char* folder = std::getenv("TMPDIR");
  path_ = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/copse-XXXXXX";
  made_ = mkdtemp(path_.data()) != nullptr;
}

PassingFolder::~PassingFolder() {
  std::error_code ignored;  // what cannot be removed lies among temporary files
  if (made_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace copse::cli
