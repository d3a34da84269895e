#include "cli/passing_folder.h"

#include <cstdlib>

namespace copse::cli {

PassingFolder::PassingFolder() {
  const SignalsHeldBack held;
  for (const std::string& folder : temporary_folders()) {
    path_ = folder + "/copse-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) continue;
    made_.emplace(path_, PassingPath::Kind::kFolder);
    return;
  }
}

}  // namespace copse::cli
