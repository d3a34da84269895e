#include "agent/command_words.h"

#include <gtest/gtest.h>

namespace copse::agent {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kAgent = "/opt/copse/libcopse.so";

Words typed(Words words, std::string_view agent, std::uint64_t main_stack_bytes = 0) {
  return typed_words(std::move(words), agent, main_stack_bytes);
}

TEST(CommandWords, LackTheOptionThatLoadsOurAgent) {
  EXPECT_EQ(typed({"java", "-agentpath:/opt/copse/libcopse.so=out=a.json,jdk=true", "-cp",
                   "a=b.jar", "demo.Main"},
                  kAgent),
            (Words{"java", "-cp", "a=b.jar", "demo.Main"}));
  EXPECT_EQ(typed({"java", "-agentpath:/opt/copse/libcopse.so", "Main"}, kAgent),
            (Words{"java", "Main"}));
  EXPECT_EQ(typed({"java", "-agentlib:copse", "-agentlib:copse=jdk=true", "Main"}, kAgent),
            (Words{"java", "Main"}));
}

TEST(CommandWords, KnowOurAgentHoweverItsPathIsSpelled) {
  EXPECT_EQ(typed({"java", "-agentpath:build/../libcopse.so=out=/tmp/x.so", "Main"}, kAgent),
            (Words{"java", "Main"}));
  EXPECT_EQ(typed({"java", "-agentpath:libcopse.so", "Main"}, kAgent), (Words{"java", "Main"}));
  EXPECT_EQ(typed({"java", "-agentpath:/mine.so=out=x", "Main"}, "/mine.so"),
            (Words{"java", "Main"}));
}

TEST(CommandWords, KeepOtherAgentsAndWhatOnlyLooksAlike) {
  const Words words = {"java",
                       "-agentpath:/opt/other.so=/opt/copse/libcopse.so",
                       "-agentlib:jdwp=transport=dt_socket",
                       "-agentlib:copse2",
                       "-javaagent:/opt/copse/libcopse.so",
                       "-Dpath=-agentpath:/opt/copse/libcopse.so",
                       "Main",
                       "libcopse.so",
                       "-agentpath:",
                       ""};
  EXPECT_EQ(typed(words, kAgent), words);
  EXPECT_EQ(typed(words, ""), words);
}

TEST(CommandWords, LackTheStackThatTheMainThreadWasGiven) {
  const std::string agent = std::string("-agentpath:") + kAgent;
  constexpr std::uint64_t kGiven = 8 << 20;
  EXPECT_EQ(typed({"java", agent, "-Xss1m", "-Xss8192k", "Main", "-Xss8192k"}, kAgent, kGiven),
            (Words{"java", "-Xss1m", "Main", "-Xss8192k"}));
  EXPECT_EQ(typed({"javac", "-J-Xss8192k", "A.java"}, kAgent, kGiven), (Words{"javac", "A.java"}));
}

TEST(CommandWords, KeepAStackThatTheUserAskedFor) {
  const Words words = {"java", "-Xss8192k", "Main"};
  EXPECT_EQ(typed({"java", std::string("-agentpath:") + kAgent, "-Xss8192k", "Main"}, kAgent),
            words);
  EXPECT_EQ(typed(words, kAgent, 8 << 20), words) << "of a java that a script started";
}

}  // namespace
}  // namespace copse::agent
