#include "agent/output_path.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace copse {
namespace {

class Folder {
 public:
  Folder() {
    std::string pattern = testing::TempDir() + "/copse-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

TEST(OutputPath, FillsInProcessAndTime) {
  EXPECT_EQ(expand_output_path("r-%p-%t.json", 42, 0), "r-42-19700101-000000.json");
  EXPECT_EQ(expand_output_path("100%%-%x", 42, 0), "100%-%x");
}

TEST(OutputPath, AFolderThatIsNotThereIsSaidAtOnce) {
  const Folder folder;
  EXPECT_TRUE(check_writable(folder.file("r.json")).ok());
  const std::string missing = folder.file("no/r.json");
  const Status status = check_writable(missing);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message(), missing + ": no such folder");
}

TEST(OutputPath, TheSecondProcessOfACommandGetsAPathOfItsOwn) {
  const Folder folder;
  const std::string manifest = folder.file("manifest");
  std::ofstream(manifest).close();
  EXPECT_EQ(claim_output_path(manifest, "/r/a.json", 1), "/r/a.json");
  EXPECT_EQ(claim_output_path(manifest, "/r/a.json", 2), "/r/a-2.json");
  EXPECT_EQ(claim_output_path(manifest, "/r/b.json", 3), "/r/b.json");
}

TEST(OutputPath, WithoutAManifestThePathIsTheUsersOwnBusiness) {
  EXPECT_EQ(claim_output_path("", "/r/a.json", 1), "/r/a.json");
}

}  // namespace
}  // namespace copse
