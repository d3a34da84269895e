#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "agent/line/kept_folder.h"
#include "agent/line/manifest.h"
#include "agent/output_path.h"

namespace copse::agent {
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

const Note kSomething = TextNote{TextNote::Kind::kFailed, "x: y"};

TEST_F(Manifest, IsAddedToWhereItIs) {
  std::ofstream(path_).put('\n');
  EXPECT_EQ(add_note(path_, kSomething), Noted::kYes);
  EXPECT_EQ(read_notes(path_), std::vector{kSomething});
}

TEST_F(Manifest, IsNotAPipeThatSomebodyPutInItsPlace) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(add_note(path_, kSomething), Noted::kNo) << "without waiting for a reader";
}

TEST_F(Manifest, IsNotWhatALinkInItsPlaceLeadsTo) {
  std::ofstream(folder_ + "/other").put('\n');
  std::filesystem::create_symlink(folder_ + "/other", path_);
  EXPECT_EQ(add_note(path_, kSomething), Noted::kNo);
  EXPECT_TRUE(read_notes(folder_ + "/other").empty());
}

TEST_F(Manifest, IsNotMadeAgain) {
  EXPECT_EQ(add_note(path_, kSomething), Noted::kGone);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

// A command that was killed: its process is gone, and what it made is not.
std::string of_a_killed_command(const std::string& folder) {
  const int child = fork();
  if (child == 0) {
    setenv("TMPDIR", folder.c_str(), 1);
    const ManifestFile manifest("");
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    return entry.path().string();
  return "";
}

TEST_F(Manifest, HasTheNotesOfAgentsInTheirOrder) {
  const ManifestFile manifest("");
  const Note claim = ClaimNote{"/r/a.json", 42};
  EXPECT_EQ(add_note(manifest.path(), claim), Noted::kYes);
  EXPECT_EQ(add_note(manifest.path(), kSomething), Noted::kYes);
  EXPECT_EQ(manifest.notes(), (std::vector{claim, kSomething}));
}

TEST_F(Manifest, AnAnswerIsReadWhereTheProcessWroteIt) {
  std::filesystem::create_directory(folder_ + "/tmp");
  std::string path;
  {
    const AnswerFile answer(folder_);
    ASSERT_TRUE(answer.made());
    path = folder_ + answer.path();
    EXPECT_EQ(add_note(path, kSomething), Noted::kYes);
    EXPECT_EQ(answer.notes(), std::vector{kSomething});
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(AnswerFile(folder_ + "/no").made());
}

TEST_F(Manifest, IsGoneWithItsCommandAndAbandonedThen) {
  std::string path;
  {
    const ManifestFile manifest("");
    path = manifest.path();
    EXPECT_FALSE(is_abandoned(path));
    remove_abandoned("", path);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(is_abandoned(path));
}

TEST_F(Manifest, OfAKilledCommandIsAbandonedAndCanBeRemoved) {
  const std::string path = of_a_killed_command(folder_);
  ASSERT_NE(path, "");
  EXPECT_TRUE(is_abandoned(path));
  remove_abandoned("", path);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Manifest, IsNotTakenForAbandonedWhereNobodySaysThatItWasLocked) {
  std::ofstream(path_) << "report\tx\n";
  EXPECT_FALSE(is_abandoned(path_));
  remove_abandoned("", path_);
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(Manifest, GoesWithTheFolderOfItsRunsWhenTheLastOfThemHasGone) {
  const std::string manifest = of_a_killed_command(folder_);
  const std::string kept = folder_ + "/kept";
  std::filesystem::create_directory(kept);
  link_manifest(kept, manifest);
  EXPECT_EQ(linked_manifest(kept), manifest);
  std::ofstream(kept + "/1.memory").put('x');
  remove_abandoned(kept, linked_manifest(kept));
  EXPECT_TRUE(std::filesystem::exists(manifest));
  EXPECT_TRUE(std::filesystem::exists(kept + "/1.memory"));
  std::filesystem::remove(kept + "/1.memory");
  remove_abandoned(kept, linked_manifest(kept));
  EXPECT_FALSE(std::filesystem::exists(manifest));
  EXPECT_FALSE(std::filesystem::exists(kept));
}

TEST_F(Manifest, AFolderOfTheUsersOwnStays) {
  EXPECT_EQ(linked_manifest(folder_), "");
  EXPECT_FALSE(remove_kept_folder(folder_));
  remove_abandoned(folder_, linked_manifest(folder_));
  EXPECT_TRUE(std::filesystem::exists(folder_));
}

TEST_F(Manifest, TheFirstWhoClaimsAPathHasIt) {
  const ManifestFile manifest("");
  EXPECT_EQ(claim_output_path(manifest.path(), "/r/a.json", 42), "/r/a.json");
  EXPECT_EQ(claim_output_path(manifest.path(), "/r/a.json", 43), "/r/a-43.json");
  EXPECT_EQ(claim_output_path(manifest.path(), "/r/b.json", 43), "/r/b.json");
}

TEST_F(Manifest, NoReportReplacesAnotherWhenItIsGone) {
  EXPECT_EQ(claim_output_path(path_, "/r/a.json", 42), "/r/a-42.json");
  EXPECT_EQ(claim_output_path(path_, "/r/a-42.json", 42), "/r/a-42.json");
  EXPECT_EQ(claim_output_path(path_, "/r-42/a", 42), "/r-42/a-42");
}

}  // namespace
}  // namespace copse::agent
