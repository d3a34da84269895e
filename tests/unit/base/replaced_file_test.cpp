#include "base/replaced_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "support/expect_fault.h"
#include "support/lack.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

class ReplacedFileTest : public ::testing::Test {
 protected:
  ReplacedFileTest() {
    std::string pattern = (fs::temp_directory_path() / "copse-replaced-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = file("report.json");
  }
  ~ReplacedFileTest() override { fs::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      found.push_back(entry.path().filename().string());
    }
    return found;
  }
  static unsigned mode(const std::string& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777u : 0;
  }
  static Status replace(const std::string& path, std::string_view text) {
    ReplacedFile file(path);
    Status status = file.write(text);
    if (status.ok()) status = file.commit();
    return status;
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(ReplacedFileTest, IsReadableByItsOwnerAloneWhateverTheUmask) {
  const mode_t before = ::umask(0);
  {
    ReplacedFile replaced(path_);
    ASSERT_TRUE(replaced.write("text").ok());
    ASSERT_EQ(names().size(), 1u);
    EXPECT_EQ(mode(file(names()[0])), 0600u) << "while it is written";
    EXPECT_TRUE(replaced.commit().ok());
  }
  ::umask(before);
  EXPECT_EQ(mode(path_), 0600u);
}

TEST_F(ReplacedFileTest, HasATemporaryNameThatNobodyCanTakeBeforehand) {
  std::string first, second;
  {
    const ReplacedFile replaced(path_);
    first = names().at(0);
  }
  {
    const ReplacedFile replaced(path_);
    second = names().at(0);
  }
  EXPECT_NE(first, second);
  EXPECT_EQ(first.rfind(".copse-", 0), 0u) << first;
}

TEST_F(ReplacedFileTest, ReplacesALinkAndLeavesAloneWhatItLeadsTo) {
  std::ofstream(file("precious")) << "precious";
  fs::create_symlink("precious", path_);
  EXPECT_TRUE(replace(path_, "new").ok());
  EXPECT_EQ(content(file("precious")), "precious");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path_)));
  EXPECT_EQ(content(path_), "new");
}

TEST_F(ReplacedFileTest, ReplacesALinkThatLeadsNowhereWithoutMakingWhatItNames) {
  fs::create_symlink("elsewhere", path_);
  EXPECT_TRUE(ReplacedFile::check(path_).ok());
  EXPECT_TRUE(replace(path_, "new").ok());
  EXPECT_EQ(content(path_), "new");
  EXPECT_FALSE(fs::exists(file("elsewhere")));
}

TEST_F(ReplacedFileTest, KeepsTheOldFileWhenTheDiskFillsInTheMiddle) {
  std::ofstream(path_) << "old";
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{5000, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status why = replace(path_, std::string(10'000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, before);
  EXPECT_FAULT(why, kSystem, path_ + ": File too large");
  EXPECT_EQ(content(path_), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"report.json"});
}

TEST_F(ReplacedFileTest, RefusesAFolder) {
  fs::create_directory(path_);
  EXPECT_FAULT(replace(path_, "new"), kSystem, path_ + ": Is a directory");
  EXPECT_FAULT(ReplacedFile::check(path_), kSystem, path_ + ": Is a directory");
}

TEST_F(ReplacedFileTest, TakesTheLongestNameThatTheFileSystemTakes) {
  const std::string longest = file(std::string(255, 'n'));
  EXPECT_TRUE(ReplacedFile::check(longest).ok());
  EXPECT_TRUE(replace(longest, "new").ok());
  EXPECT_EQ(content(longest), "new");
  const std::string longer = file(std::string(256, 'n'));
  EXPECT_FAULT(ReplacedFile::check(longer), kSystem, longer + ": File name too long");
}

TEST_F(ReplacedFileTest, LeavesNothingBehindWhenItIsOnlyAsked) {
  EXPECT_TRUE(ReplacedFile::check(path_).ok());
  EXPECT_EQ(names().size(), 0u);
  EXPECT_FAULT(ReplacedFile::check(file("no/report.json")), kSystem,
               file("no/report.json") + ": No such file");
}

TEST_F(ReplacedFileTest, DoesNotWaitForTheReaderOfAFifo) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_TRUE(ReplacedFile::check(path_).ok());
  EXPECT_FAULT(replace(path_, "new"), kSystem, path_);
}

TEST_F(ReplacedFileTest, FillsAFifoThatIsRead) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  const int reader = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ASSERT_EQ(::fcntl(reader, F_SETFL, 0), 0);
  EXPECT_TRUE(ReplacedFile::check(path_).ok()) << "and the reader sees no end of file by it";
  std::string read;
  const std::string sent(1 << 20, 'x');  // more than a pipe holds: the writer has to wait
  Status why;
  std::thread writer([&] { why = replace(path_, sent); });
  char block[1 << 12];
  // The first read may find no writer yet, and nothing: that is not the end.
  while (read.size() < sent.size()) {
    const ssize_t got = ::read(reader, block, sizeof block);
    if (got < 0) break;
    read.append(block, static_cast<std::size_t>(got));
  }
  writer.join();
  ::close(reader);
  EXPECT_TRUE(why.ok());
  EXPECT_EQ(read, sent);
}

TEST_F(ReplacedFileTest, AppendsToAnOpenFileThatALinkOfProcStandsFor) {
  std::ofstream(path_) << "before\n";
  const int open_file = ::open(path_.c_str(), O_WRONLY);
  ASSERT_GE(open_file, 0);
  const std::string link = "/proc/self/fd/" + std::to_string(open_file);
  if (!fs::exists(link)) COPSE_LACK("no /proc here");
  EXPECT_FALSE(ReplacedFile::replaces(link));
  EXPECT_TRUE(replace(link, "after\n").ok());
  ::close(open_file);
  EXPECT_EQ(content(path_), "before\nafter\n");
}

TEST_F(ReplacedFileTest, IsWholeWhoeverWritesLast) {
  std::vector<std::thread> writers;
  for (char letter = 'a'; letter < 'e'; ++letter) {
    writers.emplace_back([this, letter] {
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(replace(path_, std::string(100'000, letter)).ok());
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string text = content(path_);
  ASSERT_EQ(text.size(), 100'000u);
  EXPECT_EQ(text, std::string(100'000, text[0]));
  EXPECT_EQ(names(), std::vector<std::string>{"report.json"});
}

}  // namespace
}  // namespace copse
