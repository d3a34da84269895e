#include "cli/preload/java_command.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace copse::cli {
namespace {

bool prints(std::vector<const char*> words) {
  words.insert(words.begin(), "java");
  words.push_back(nullptr);
  return only_prints(words.data());
}

TEST(JavaCommand, OnlyPrintsWhereAnOptionInFrontOfTheProgramSaysSo) {
  EXPECT_TRUE(prints({"-version"}));
  EXPECT_TRUE(prints({"-Xmx32m", "-cp", "a.jar", "--version"}));
  EXPECT_TRUE(prints({"-XX:+PrintFlagsFinal", "-version"}));
  EXPECT_TRUE(prints({"--describe-module", "java.base"}));
  EXPECT_TRUE(prints({"-version", "Main"}));
}

TEST(JavaCommand, RunsAProgramWhereTheWordIsTheProgramsOrAnotherOptions) {
  EXPECT_FALSE(prints({}));
  EXPECT_FALSE(prints({"Main", "-version"}));
  EXPECT_FALSE(prints({"-jar", "a.jar", "-version"}));
  EXPECT_FALSE(prints({"-m", "mod/Main", "--help"}));
  EXPECT_FALSE(prints({"--module=mod/Main", "--help"}));
  EXPECT_FALSE(prints({"-cp", "-version", "Main"}));
  EXPECT_FALSE(prints({"-showversion", "Main"}));
  EXPECT_FALSE(prints({"@options", "-version"})) << "the file may name the program";
  EXPECT_FALSE(prints({"-cp"}));
}

TEST(JavaCommand, VariablesLoseWhatCopseAppendedAndNothingElse) {
  EXPECT_EQ(without_agent("\"-agentpath:/x/libcopse.so=out=a b\""), "");
  EXPECT_EQ(without_agent("-ea \"-agentpath:/x/libcopse.so=out=a b\""), "-ea");
  EXPECT_EQ(without_agent("'-agentpath:/y.so' -Da=1 '-agentpath:/x/libcopse.so=out=\"a\"'"),
            "'-agentpath:/y.so' -Da=1");
  EXPECT_EQ(without_agent("-Dname=value"), "-Dname=value");
  EXPECT_EQ(without_agent(""), "");
  EXPECT_EQ(without_agent("'-agentpath:/x/libcopse.so=a' -Dlater=1"),
            "'-agentpath:/x/libcopse.so=a' -Dlater=1");
  EXPECT_EQ(without_stack_size("-Xss8m"), "");
  EXPECT_EQ(without_stack_size("-Xss2m '-Da=b c' -Xss16m"), "-Xss2m '-Da=b c'");
  EXPECT_EQ(without_stack_size("-Xss2m -ea"), "-Xss2m -ea");
  EXPECT_EQ(without_stack_size(""), "");
}

TEST(JavaCommand, TheOptionsThatCopseAppendedAreFoundWithoutQuotes) {
  EXPECT_EQ(agent_option("-ea '-agentpath:/x/libcopse.so=out=\"a\"'"),
            "-agentpath:/x/libcopse.so=out=\"a\"");
  EXPECT_EQ(agent_option("\"-agentpath:/x/libcopse.so=out=a b\""),
            "-agentpath:/x/libcopse.so=out=a b");
  EXPECT_EQ(agent_option("\"-agentpath:/x/libcopse.so\" -ea"), "") << "a script has added more";
  EXPECT_EQ(agent_option("-agentpath:/mine.so"), "");
  EXPECT_EQ(agent_option(""), "");
  EXPECT_EQ(stack_size_in("-Da=1 -Xss8m"), "-Xss8m");
  EXPECT_EQ(stack_size_in("-Xss8m -Da=1"), "");
}

TEST(JavaCommand, VariablesOfAnyTextComeBackAsTheyWere) {
  const std::uint32_t seed = std::random_device{}();
  RecordProperty("seed", static_cast<int>(seed));
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  constexpr std::string_view kLetters = "ab \"'-X:=";
  for (int round = 0; round < 10000; ++round) {
    std::string text;
    for (std::size_t left = random() % 12; left != 0; --left)
      text += kLetters[random() % kLetters.size()];
    const std::string between = text.empty() ? "" : " ";
    EXPECT_EQ(without_agent(text + between + "\"-agentpath:/x/libcopse.so=out=a b\""), text);
    EXPECT_EQ(without_stack_size(text + between + "-Xss8m"), text);
  }
}

}  // namespace
}  // namespace copse::cli
