// Which size a command gives to its main thread, and where a larger one is put.
#include "cli/profile/launcher_stack.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "agent/stack_scale.h"

namespace copse::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string xss(std::uint64_t bytes) { return "-Xss" + std::to_string(bytes >> 10) + "k"; }
const std::string kMore = xss(agent::kStackScale * agent::kDefaultStackBytes);
const std::string kMoreThan2M = xss(agent::kStackScale << 21);

class LauncherStack : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "copse-launcher-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }

  fs::path folder_;
};

TEST_F(LauncherStack, OfJavaIsGivenBeforeItsOwnOptions) {
  const MoreStack more = with_more_stack({"java", "-cp", "a:b", "Main", "-x"}, nullptr);
  EXPECT_EQ(more.words, (Words{"java", kMore, "-cp", "a:b", "Main", "-x"}));
  EXPECT_TRUE(more.environment.empty());
  EXPECT_EQ(more.bytes, agent::kStackScale * agent::kDefaultStackBytes);
}

TEST_F(LauncherStack, ThatTheProgramSetsIsScaledBehindItsLastOption) {
  const MoreStack more =
      with_more_stack({"/opt/jdk/bin/java", "-Xss512k", "-Xss2m", "-ea", "-jar", "a.jar"}, nullptr);
  EXPECT_EQ(more.words, (Words{"/opt/jdk/bin/java", "-Xss512k", "-Xss2m", kMoreThan2M, "-ea",
                               "-jar", "a.jar"}));
}

TEST_F(LauncherStack, IsReadInTheLaunchersSpellings) {
  const std::uint64_t two_mib = 2 << 20;
  for (const char* spelling : {"-Xss2m", "-Xss2M", "-Xss2048k", "-Xss2048K", "-Xss2097152"}) {
    EXPECT_EQ(with_more_stack({"java", spelling, "Main"}, nullptr).bytes,
              agent::kStackScale * two_mib)
        << spelling;
  }
  for (const char* other : {"-Xss", "-Xssm", "-Xss2x", "-Xss2mm"}) {
    EXPECT_EQ(with_more_stack({"java", other, "Main"}, nullptr).bytes,
              agent::kStackScale * agent::kDefaultStackBytes)
        << other << " is the JVM's to refuse";
  }
}

TEST_F(LauncherStack, OfAProgramsOwnArgumentsIsLeftAlone) {
  for (const Words& words :
       {Words{"java", "Main", "-Xss2m"}, Words{"java", "-jar", "a.jar", "-Xss2m"},
        Words{"java", "-m", "mod/Main", "-Xss2m"}, Words{"java", "-cp", "-Xss2m", "Main"}}) {
    Words expected = words;
    expected.insert(expected.begin() + 1, kMore);
    EXPECT_EQ(with_more_stack(words, nullptr).words, expected);
  }
}

TEST_F(LauncherStack, NeverExceedsWhatTheJvmTakesAndNeverShrinks) {
  EXPECT_EQ(with_more_stack({"java", "-Xss512m", "Main"}, nullptr).bytes, std::uint64_t{1} << 30);
  const MoreStack most = with_more_stack({"java", "-Xss1g", "Main"}, nullptr);
  EXPECT_EQ(most.words, (Words{"java", "-Xss1g", "Main"}));
  EXPECT_EQ(most.bytes, 0u);
}

TEST_F(LauncherStack, IsFoundInArgumentFiles) {
  const std::string options = file("options", "-ea # -Xss7m\n'-Dname=a b'\n-Xss2m\n");
  const MoreStack more = with_more_stack({"java", "@" + options, "Main"}, nullptr);
  EXPECT_EQ(more.words, (Words{"java", "@" + options, kMoreThan2M, "Main"}));
}

TEST_F(LauncherStack, IsLeftAloneWhereTheArgumentFileThatSetsItNamesTheProgramToo) {
  const std::string all = file("all", "-Xss2m Main");
  const MoreStack more = with_more_stack({"java", "@" + all, "argument"}, nullptr);
  EXPECT_EQ(more.words, (Words{"java", "@" + all, "argument"}));
  EXPECT_EQ(more.bytes, 0u);
}

TEST_F(LauncherStack, OfTheEnvironmentIsWhatJavaHasWithoutAnOptionOfItsOwn) {
  const char* options = "-ea '-Dname=a b' -Xss2m";
  EXPECT_EQ(with_more_stack({"java", "Main"}, options).words, (Words{"java", kMoreThan2M, "Main"}));
  EXPECT_EQ(with_more_stack({"java", "-Xss1m", "Main"}, options).words,
            (Words{"java", "-Xss1m", xss(agent::kStackScale << 20), "Main"}));
}

TEST_F(LauncherStack, OfAnotherCommandIsGivenInTheEnvironmentBehindWhatIsThere) {
  const MoreStack more = with_more_stack({"mvn", "test"}, nullptr);
  EXPECT_EQ(more.words, (Words{"mvn", "test"}));
  EXPECT_EQ(more.environment, (Words{"JDK_JAVA_OPTIONS=" + kMore}));
  EXPECT_EQ(with_more_stack({"mvn", "test"}, "-ea -Xss2m").environment,
            (Words{"JDK_JAVA_OPTIONS=-ea -Xss2m " + kMoreThan2M}));
}

TEST_F(LauncherStack, OfAToolOfAJdkIsGivenBehindJ) {
  file("jdk/bin/java", "");
  file("jdk/lib/libjli.so", "");
  const std::string javac = file("jdk/bin/javac", "");
  EXPECT_EQ(with_more_stack({javac, "-d", "out", "A.java"}, nullptr).words,
            (Words{javac, "-J" + kMore, "-d", "out", "A.java"}));
  EXPECT_EQ(with_more_stack({javac, "-J-Xss2m", "A.java"}, nullptr).words,
            (Words{javac, "-J-Xss2m", "-J" + kMoreThan2M, "A.java"}));
  const std::string other = file("elsewhere/bin/javac", "");
  EXPECT_EQ(with_more_stack({other, "A.java"}, nullptr).words, (Words{other, "A.java"}));
}

}  // namespace
}  // namespace copse::cli
