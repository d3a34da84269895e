#include "cli/version_text.h"

#include "base/version.h"

namespace copse::cli {

std::string version_text() {
  const std::string commit = COPSE_COMMIT;
  std::string text = std::string("copse ") + kVersion;
  text += "\ncommit: " + (commit.empty() ? "unknown" : commit);
  text += "\ntested with: JDK 17 and 25, Linux x86_64";
  text += std::string("\npage: ") + (COPSE_HAS_PAGE ? "yes" : "no (COPSE_BUILD_VIEWER=OFF)");
  return text + "\nlicence: Apache-2.0";
}

}  // namespace copse::cli
