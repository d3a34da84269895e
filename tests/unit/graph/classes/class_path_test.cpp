#include "graph/classes/class_path.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/expect_fault.h"

namespace copse::graph {
namespace {

namespace fs = std::filesystem;

class ClassPath : public testing::Test {
 protected:
  ClassPath() { fs::create_directories(folder_); }
  ~ClassPath() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  static Result<std::string> seen_in(const std::string& entry) {
    std::string seen;
    if (Status status =
            visit_classes(entry,
                          [&](const std::string& name, std::span<const std::uint8_t> bytes) {
                            seen += name + "=" + std::string(bytes.begin(), bytes.end()) + " ";
                          });
        !status.ok()) {
      return status;
    }
    return seen;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("class-path-" + std::to_string(getpid()));
};

TEST_F(ClassPath, IsTakenApartAsJavaDoes) {
  EXPECT_EQ(class_path_entries("a.jar:b:c.jar"), (std::vector<std::string>{"a.jar", "b", "c.jar"}));
  EXPECT_EQ(class_path_entries(":a::b:"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(class_path_entries("").empty());
}

TEST_F(ClassPath, ShowsTheClassesOfAFolderInOrder) {
  write("pkg/B.class", "2");
  write("A.class", "1");
  write("module-info.class", "no");
  write("META-INF/versions/21/A.class", "no");
  write("notes.txt", "no");
  write("Empty.class", "");
  EXPECT_EQ(*seen_in(folder_), "A.class=1 Empty.class= pkg/B.class=2 ");
}

TEST_F(ClassPath, SaysWhichEntryCannotBeRead) {
  const std::string missing = folder_ / "missing.jar";
  EXPECT_FAULT(seen_in(missing), kSystem, missing + ": No such file");
  write("other.jar", "not a jar");
  const std::string other = folder_ / "other.jar";
  EXPECT_FAULT(seen_in(other), kSystem, other + ": ");
}

}  // namespace
}  // namespace copse::graph
