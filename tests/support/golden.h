// Text compared with a file that a person has read.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace copse::test {

inline std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// `name`: a file in COPSE_GOLDEN_FOLDER. With COPSE_UPDATE_GOLDEN=1 in the environment the text becomes its content.
inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(COPSE_GOLDEN_FOLDER) + "/" + name;
  if (std::getenv("COPSE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << actual;
  EXPECT_EQ(actual, content_of(path)) << path;
}

}  // namespace copse::test
