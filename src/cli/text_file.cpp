#include "cli/text_file.h"

#include <fstream>
#include <sstream>

namespace copse::cli {

Result<std::string> text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return Status::error(Fault::kSystem, path + ": cannot be read, or is empty");
  }
  return text.str();
}

}  // namespace copse::cli
