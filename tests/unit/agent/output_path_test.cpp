#include "agent/output_path.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/replaced_file.h"
#include "base/wire/block_writer.h"
#include "support/expect_fault.h"

namespace copse::agent {
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
  const OutputWords words{.program = "com.acme.Main", .pid = 42, .started = 0};
  EXPECT_EQ(expand_output_path("r-%c-%p-%t.json", words),
            "r-com.acme.Main-42-19700101-000000.json");
  EXPECT_EQ(expand_output_path("100%%-%x%", words), "100%-%x%");
  EXPECT_EQ(expand_output_path("%%c%%p", words), "%c%p");
}

TEST(OutputPath, APercentSignOfTheWorkingFolderIsNoPattern) {
  const Folder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::create_directory(folder.file("100%pure"));
  std::filesystem::current_path(folder.file("100%pure"));
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(
      expand_output_path(absolute_pattern("r-%p.json"), {.program = "", .pid = 7, .started = 0}),
      here + "/r-7.json");
  EXPECT_EQ(path_of_pattern(absolute_pattern("r-%p.json")), here + "/r-%p.json");
  EXPECT_EQ(absolute_pattern("/r/%p"), "/r/%p");
  std::filesystem::current_path(before);
}

TEST(OutputPath, AFolderThatIsNotThereIsSaidAtOnce) {
  const Folder folder;
  EXPECT_TRUE(check_writable(folder.file("r.json")).ok());
  const std::string missing = folder.file("no/r.json");
  const Status status = check_writable(missing);
  ASSERT_FALSE(status.ok());
  EXPECT_FAULT(status, kNotFound, missing);
}

TEST(OutputPath, FilesAreToldApartByWhatTheyAreNotByTheirSpelling) {
  const Folder folder;
  std::filesystem::create_directory(folder.file("d"));
  std::filesystem::create_directory_symlink(folder.file("d"), folder.file("link"));
  std::ofstream(folder.file("d/a")).close();
  std::ofstream(folder.file("d/b")).close();
  std::filesystem::create_hard_link(folder.file("d/a"), folder.file("hard"));
  EXPECT_TRUE(is_same_file(folder.file("d/a"), folder.file("link/./a")));
  EXPECT_TRUE(is_same_file(folder.file("d/a"), folder.file("hard")));
  EXPECT_FALSE(is_same_file(folder.file("d/a"), folder.file("d/b")));
  EXPECT_FALSE(is_same_file(folder.file("d/a"), folder.file("d/absent")));
  EXPECT_TRUE(is_same_file(folder.file("d/absent"), folder.file("link/../d/./absent")));
  EXPECT_FALSE(is_same_file(folder.file("d/absent"), folder.file("d/other")));
  EXPECT_FALSE(is_same_file("/dev/null", "/dev/null"));
  EXPECT_FALSE(is_same_file(folder.file("d"), folder.file("link")));
}

TEST(OutputPath, AnOutputTakesNoOthersPlace) {
  EXPECT_TRUE(check_replaces_none("/r/a", {{"", "nothing"}, {"/r/b", "read"}}).ok());
  EXPECT_TRUE(check_replaces_none("", {{"", "nothing"}}).ok());
  EXPECT_FAULT(check_replaces_none("/r/a", {{"/r/a", "the trace that is read"}}), kUsage,
               "/r/a: is the trace that is read");
  EXPECT_FAULT(check_replaces_none("/r/./a", {{"/r/a", "the trace that is read"}}), kUsage,
               "/r/./a: is the trace that is read", ", /r/a");
}

TEST(OutputPath, FilesOfOneRunAreKeptApart) {
  EXPECT_TRUE(check_run_files("/r/a-%p.json", true, "/r/a-%p.events", "/r/g.json").ok());
  EXPECT_FALSE(check_run_files("/r/a.json", true, "/r/a.json", "").ok());
  EXPECT_FALSE(check_run_files("/r/a.json", true, "/r/a.ids", "").ok());
  EXPECT_TRUE(check_run_files("/r/a.json", false, "/r/a.ids", "").ok());
  EXPECT_FALSE(check_run_files("/r/a.json", true, "", "/r/a.json").ok());
  EXPECT_FALSE(check_run_files("/r/a.json", true, "", "/r/a.ids").ok());
  EXPECT_FALSE(check_run_files("/r/a.json", true, "/r/g", "/r/g").ok());
}

TEST(OutputPath, TheSecondProcessOfACommandGetsAPathOfItsOwn) {
  const Folder folder;
  const std::string manifest = folder.file("manifest");
  std::ofstream(manifest).close();
  EXPECT_EQ(claim_output_path(manifest, "/r/a.json", 1), "/r/a.json");
  EXPECT_EQ(claim_output_path(manifest, "/r/a.json", 2), "/r/a-2.json");
  EXPECT_EQ(claim_output_path(manifest, "/r/b.json", 3), "/r/b.json");
}

// Writes as a report is written: in one step, by another file.
void put(const std::string& path, const std::string& text) {
  ReplacedFile file(path);
  ASSERT_TRUE(file.write(text).ok());
  ASSERT_TRUE(file.commit().ok());
}

TEST(OutputPlace, IsAnotherOneWhereAnotherFileHasCome) {
  const Folder folder;
  const std::string path = folder.file("a.json");
  for (const bool has_old : {false, true}) {
    if (has_old) put(path, "old");
    OutputPlace place(path, 7);
    EXPECT_EQ(place.settle(), "");
    OutputPlace of_another_process(path, 8, place.state());
    put(path, "snapshot");
    place.was_written();
    EXPECT_EQ(place.settle(), "") << "its own file";
    put(path, "another run's");
    EXPECT_NE(place.settle(), "");
    EXPECT_EQ(place.path(), folder.file("a-7.json"));
    EXPECT_EQ(place.settle(), "") << "it stays there";
    EXPECT_NE(of_another_process.settle(), "");
    EXPECT_EQ(of_another_process.path(), folder.file("a-8.json"));
  }
  OutputPlace gone(path, 9);
  std::filesystem::remove(path);
  EXPECT_EQ(gone.settle(), "") << "nothing is lost";
  EXPECT_EQ(gone.path(), path);
  OutputPlace directly("/dev/null", 9);
  EXPECT_EQ(directly.settle(), "");
}

TEST(OutputPlace, OfAStreamIsFreeOnceTheStreamHasItsEnd) {
  const Folder folder;
  const std::string path = folder.file("a.trace");
  EXPECT_EQ(free_stream_path(path, 7), path);
  auto first = wire::BlockWriter::create(path, "header");
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(free_stream_path(path, 7), folder.file("a-7.trace"));
  EXPECT_FAULT(wire::BlockWriter::create(path, "header").status(), kRefused, path);
  ASSERT_TRUE((*first)->close().ok());
  EXPECT_EQ(free_stream_path(path, 7), path);
  EXPECT_TRUE(wire::BlockWriter::create(path, "header").ok());
}

TEST(OutputPath, WithoutAManifestThePathIsTheUsersOwnBusiness) {
  EXPECT_EQ(claim_output_path("", "/r/a.json", 1), "/r/a.json");
}

}  // namespace
}  // namespace copse::agent
