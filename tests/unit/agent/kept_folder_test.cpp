#include "agent/line/kept_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace copse::agent {
namespace {

TEST(KeptFolder, WhatARunSaysOfItselfIsReadAsItWasWritten) {
  const KeptRunInfo info{"/r/a=b.json", "com.acme.Main", "out=/r/a\\,b.json,quiet", 1700000000123,
                         "1 2 3"};
  std::map<std::string, std::string> options = {{"sites", "true"}};
  info.add_to(options);
  EXPECT_EQ(KeptRunInfo::take_from(options), info);
  EXPECT_EQ(options, (std::map<std::string, std::string>{{"sites", "true"}}))
      << "the report has the recording's own options alone";
  EXPECT_EQ(KeptRunInfo::take_from(options), KeptRunInfo());
}

TEST(KeptFolder, EitherFileStandsForItsRun) {
  const KeptRunFiles files = KeptRunFiles::of_process("/dev/shm/x.y", 42);
  EXPECT_EQ(files.memory, "/dev/shm/x.y/42.memory");
  EXPECT_EQ(files.names, "/dev/shm/x.y/42.names");
  EXPECT_EQ(KeptRunFiles::of(files.memory).names, files.names);
  EXPECT_EQ(KeptRunFiles::of(files.names).memory, files.memory);
}

TEST(KeptFolder, ItsRunsAreFoundAndRemoved) {
  std::string pattern = testing::TempDir() + "/copse-kept-XXXXXX";
  const std::string folder = mkdtemp(pattern.data());
  for (const char* name : {"2.memory", "2.names", "1.memory", "1.names", "manifest"}) {
    std::ofstream(folder + "/" + name).put('x');
  }
  const std::vector<KeptRunFiles> runs = kept_runs_in(folder);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].memory, folder + "/1.memory");
  EXPECT_EQ(runs[1].names, folder + "/2.names");
  runs[0].remove();
  EXPECT_FALSE(std::filesystem::exists(folder + "/1.memory"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/1.names"));
  EXPECT_EQ(kept_runs_in(folder).size(), 1u);
  EXPECT_TRUE(kept_runs_in(folder + "/no").empty());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace copse::agent
