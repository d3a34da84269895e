// Which options make an archive, and which are taken back.
#include "cli/profile/class_archives.h"

#include <gtest/gtest.h>

namespace copse::cli {
namespace {

using Words = std::vector<std::string>;

std::string option_in(const Words& words) { return option_that_makes_archive(words, {}); }

TEST(ClassArchives, AreMadeByTheseOptions) {
  for (const char* option : {"-XX:ArchiveClassesAtExit=a.jsa", "-Xshare:dump", "-XX:AOTMode=create",
                             "-XX:AOTMode=record", "-XX:AOTCacheOutput=a.aot",
                             "-XX:+RecordDynamicDumpInfo", "-XX:+AutoCreateSharedArchive"}) {
    EXPECT_EQ(option_in({"java", "-cp", "a", option, "Main"}), option);
    EXPECT_EQ(option_that_makes_archive({"sh", "run.sh"}, {option, nullptr}), option);
    EXPECT_EQ(option_that_makes_archive({"sh", "run.sh"}, {nullptr, option}), option);
    EXPECT_EQ(option_in({"java", "Main", option}), "") << "is the program's";
    EXPECT_EQ(option_in({"java", "-cp", option, "Main"}), "") << "is a class path";
    EXPECT_EQ(option_in({"make", option}), "");
  }
}

TEST(ClassArchives, AreNotMadeByTheUseOfOne) {
  EXPECT_EQ(option_in({"java", "-XX:SharedArchiveFile=a.jsa", "-Xshare:auto", "-XX:AOTCache=a.aot",
                       "-XX:AOTMode=auto", "Main"}),
            "");
}

TEST(ClassArchives, AreMadeByTheLastOfSeveralOptions) {
  EXPECT_EQ(option_in({"java", "-XX:ArchiveClassesAtExit=a", "-XX:ArchiveClassesAtExit=", "Main"}),
            "");
  EXPECT_EQ(
      option_in({"java", "-XX:+AutoCreateSharedArchive", "-XX:-AutoCreateSharedArchive", "M"}), "");
}

TEST(ClassArchives, ThatRenewThemselvesAreLeftAsTheyAre) {
  Words words = {"java", "-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=/dev/null", "-jar",
                 "a.jar"};
  leave_archives_as_they_are(words);
  EXPECT_EQ(words, (Words{"java", "-XX:+AutoCreateSharedArchive", "-XX:-AutoCreateSharedArchive",
                          "-XX:SharedArchiveFile=/dev/null", "-jar", "a.jar"}));
  EXPECT_EQ(option_in(words), "");
}

TEST(ClassArchives, ThatDoNotExistAreNotAskedFor) {
  Words words = {"java", "-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=/no/a.jsa", "Main"};
  leave_archives_as_they_are(words);
  EXPECT_EQ(words, (Words{"java", "-XX:+AutoCreateSharedArchive", "-XX:-AutoCreateSharedArchive",
                          "-XX:SharedArchiveFile=/no/a.jsa", "-XX:SharedArchiveFile=", "Main"}));
}

TEST(ClassArchives, OfOtherCommandsStay) {
  for (const Words& command : {Words{"java", "-XX:SharedArchiveFile=/no/a.jsa", "Main"},
                               Words{"make", "-XX:+AutoCreateSharedArchive"}}) {
    Words words = command;
    leave_archives_as_they_are(words);
    EXPECT_EQ(words, command);
  }
}

}  // namespace
}  // namespace copse::cli
