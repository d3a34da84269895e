#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "agent/output_path.h"

namespace copse {
namespace {

class Manifest : public testing::Test {
 protected:
  Manifest() {
    std::string folder = testing::TempDir() + "/copse-manifest-XXXXXX";
    folder_ = mkdtemp(folder.data());
    path_ = folder_ + "/manifest";
  }
  ~Manifest() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  std::string path_;
};

TEST_F(Manifest, IsOpenedWhereItIs) {
  std::ofstream(path_).put('\n');
  const int file = open_manifest(path_);
  EXPECT_GE(file, 0);
  close(file);
}

TEST_F(Manifest, IsNotAPipeThatSomebodyPutInItsPlace) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_LT(open_manifest(path_), 0) << "and opening it does not wait for a reader";
}

TEST_F(Manifest, IsNotWhatALinkInItsPlaceLeadsTo) {
  std::ofstream(folder_ + "/other").put('\n');
  std::filesystem::create_symlink(folder_ + "/other", path_);
  EXPECT_LT(open_manifest(path_), 0);
}

TEST_F(Manifest, IsNotMadeAgain) {
  EXPECT_LT(open_manifest(path_), 0);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace copse
