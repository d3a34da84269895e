#include "agent/command_words.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kAgent = "/opt/copse/libcopse.so";

TEST(CommandWords, LackTheOptionThatLoadsOurAgent) {
  EXPECT_EQ(without_agent({"java", "-agentpath:/opt/copse/libcopse.so=out=a.json,jdk=true", "-cp",
                           "a=b.jar", "demo.Main"},
                          kAgent),
            (Words{"java", "-cp", "a=b.jar", "demo.Main"}));
  EXPECT_EQ(without_agent({"java", "-agentpath:/opt/copse/libcopse.so", "Main"}, kAgent),
            (Words{"java", "Main"}));
  EXPECT_EQ(without_agent({"java", "-agentlib:copse", "-agentlib:copse=jdk=true", "Main"}, kAgent),
            (Words{"java", "Main"}));
}

TEST(CommandWords, KnowOurAgentHoweverItsPathIsSpelled) {
  EXPECT_EQ(
      without_agent({"java", "-agentpath:build/../libcopse.so=out=/tmp/x.so", "Main"}, kAgent),
      (Words{"java", "Main"}));
  EXPECT_EQ(without_agent({"java", "-agentpath:libcopse.so", "Main"}, kAgent),
            (Words{"java", "Main"}));
  EXPECT_EQ(without_agent({"java", "-agentpath:/mine.so=out=x", "Main"}, "/mine.so"),
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
  EXPECT_EQ(without_agent(words, kAgent), words);
  EXPECT_EQ(without_agent(words, ""), words);
}

}  // namespace
}  // namespace copse
