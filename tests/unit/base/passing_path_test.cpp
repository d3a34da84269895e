#include "base/passing_path.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace copse {
namespace {

namespace fs = std::filesystem;
using Kind = PassingPath::Kind;

class PassingPaths : public testing::Test {
 protected:
  PassingPaths() {
    std::string folder = testing::TempDir() + "/copse-passing-XXXXXX";
    folder_ = mkdtemp(folder.data());
    std::ofstream(file()).put('x');
    fs::create_directory(passing());
    std::ofstream(passing() / "one").put('x');
    std::ofstream(passing() / "two").put('x');
  }
  ~PassingPaths() override { fs::remove_all(folder_); }

  fs::path file() const { return folder_ / "file"; }
  fs::path passing() const { return folder_ / "folder"; }

  // Returns the status of a child in which `body` ran.
  static int in_a_child(const std::function<void()>& body) {
    const pid_t child = fork();
    if (child == 0) {
      body();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  fs::path folder_;
};

TEST_F(PassingPaths, GoWithTheirObject) {
  {
    const PassingPath one(file(), Kind::kFile);
    const PassingPath other(passing(), Kind::kFolder);
    EXPECT_TRUE(fs::exists(file()));
  }
  EXPECT_FALSE(fs::exists(file()));
  EXPECT_FALSE(fs::exists(passing()));
}

TEST_F(PassingPaths, StayWhereTheyAreKept) {
  {
    PassingPath one(file(), Kind::kFile);
    one.keep();
  }
  EXPECT_TRUE(fs::exists(file()));
}

TEST_F(PassingPaths, AFolderOfLinksStaysWithAnythingElseInIt) {
  fs::create_symlink("nowhere", passing() / "link");
  { const PassingPath one(passing(), Kind::kLinkFolder); }
  EXPECT_TRUE(fs::is_symlink(passing() / "link"));
  fs::remove(passing() / "one");
  fs::remove(passing() / "two");
  { const PassingPath one(passing(), Kind::kLinkFolder); }
  EXPECT_FALSE(fs::exists(passing()));
}

TEST_F(PassingPaths, NoLinkIsFollowed) {
  fs::create_directory_symlink(passing(), folder_ / "link");
  { const PassingPath one(folder_ / "link", Kind::kFolder); }
  EXPECT_TRUE(fs::exists(passing() / "one"));
}

TEST_F(PassingPaths, GoWithAProcessThatASignalEnds) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    std::ofstream(file()).put('x');
    fs::create_directory(passing());
    for (int i = 0; i < 500; ++i) std::ofstream(passing() / std::to_string(i)).put('x');
    const int status = in_a_child([&] {
      remove_passing_paths_by_signals();
      const PassingPath one(file(), Kind::kFile);
      const PassingPath other(passing(), Kind::kFolder);
      raise(number);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), number);
    EXPECT_FALSE(fs::exists(file()));
    EXPECT_FALSE(fs::exists(passing()));
  }
}

TEST_F(PassingPaths, StayWithTheParentOfAChildThatASignalEnds) {
  const int status = in_a_child([&] {
    remove_passing_paths_by_signals();
    PassingPath one(file(), Kind::kFile);
    const int inner = in_a_child([] { raise(SIGTERM); });
    one.keep();
    _exit(WIFSIGNALED(inner) && fs::exists(file()) ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(PassingPaths, ASignalThatIsIgnoredStaysIgnored) {
  const int status = in_a_child([&] {
    std::signal(SIGHUP, SIG_IGN);
    remove_passing_paths_by_signals();
    PassingPath one(file(), Kind::kFile);
    raise(SIGHUP);
    one.keep();
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::exists(file()));
}

TEST_F(PassingPaths, MoreThanSignalsKnowOfStillGoWithTheirObjects) {
  std::array<fs::path, 100> paths;
  {
    std::vector<std::unique_ptr<PassingPath>> objects;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      paths[i] = folder_ / ("many" + std::to_string(i));
      std::ofstream(paths[i]).put('x');
      objects.push_back(std::make_unique<PassingPath>(paths[i], Kind::kFile));
    }
  }
  for (const fs::path& path : paths) EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolders, AreAbsoluteAndEndWithTheOneBeside) {
  setenv("TMPDIR", "relative", 1);
  const auto folders = temporary_folders("beside");
  unsetenv("TMPDIR");
  ASSERT_EQ(folders.size(), 4u);
  EXPECT_EQ(folders[0], (fs::current_path() / "relative").string());
  EXPECT_EQ(folders[1], "/tmp");
  EXPECT_EQ(folders[3], (fs::current_path() / "beside").string());
  EXPECT_EQ(temporary_folders().size(), 2u);
}

}  // namespace
}  // namespace copse
