#include "report/model/output.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/expect_fault.h"
#include "support/lack.h"

namespace copse::report {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public ::testing::Test {
 protected:
  AtomicFileTest() {
    std::string pattern = (fs::temp_directory_path() / "copse-output-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = (folder_ / "report.json").string();
  }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(AtomicFileTest, ReplacesTheOldFileOnCommit) {
  std::ofstream(path_) << "old";
  AtomicFile file(path_);
  file.put("new");
  EXPECT_EQ(content(), "old");
  EXPECT_TRUE(file.commit().ok());
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(files(), 1u);
  struct stat info;
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
}

TEST_F(AtomicFileTest, LeavesTheOldFileWithoutCommit) {
  std::ofstream(path_) << "old";
  {
    AtomicFile file(path_);
    file.put(std::string(1 << 20, 'x'));
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, NamesThePathItCannotWrite) {
  const std::string missing = (folder_ / "no" / "report.json").string();
  AtomicFile file(missing);
  file.put("text");
  EXPECT_FAULT(file.commit(), kSystem, missing + ": No such file");
}

TEST_F(AtomicFileTest, SaysWhenTheDeviceIsFull) {
  if (!fs::exists("/dev/full")) COPSE_LACK("no /dev/full here");
  AtomicFile file("/dev/full");
  file.put(std::string(1 << 20, 'x'));
  EXPECT_FAULT(file.commit(), kSystem, "/dev/full: No space left on device");
}

TEST(DescriptorOutput, KnowsThatTheReaderIsGone) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  DescriptorOutput out(ends[1], "standard output");
  out.put("text");
  EXPECT_FAULT(out.finish(), kSystem, "Broken pipe");
  EXPECT_TRUE(out.reader_gone());
  ::close(ends[1]);
}

TEST(Output, WritesNumbersExactly) {
  StringOutput out;
  out.put_number(~std::uint64_t{0});
  out.put(' ');
  out.put_number(std::int64_t{-42});
  out.put(' ');
  out.put_number(12.5);
  ASSERT_TRUE(out.finish().ok());
  EXPECT_EQ(out.text(), "18446744073709551615 -42 12.5");
}

}  // namespace
}  // namespace copse::report
