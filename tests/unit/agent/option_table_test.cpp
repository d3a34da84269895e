#include "agent/option_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace copse::agent {
namespace {

// Options of each mode, with defaults.
std::vector<AgentOptions> of_all_modes() {
  std::vector<AgentOptions> all;
  for (const std::string_view mode : kModeNames) {
    all.push_back(*parse_agent_options("mode=" + std::string(mode)));
  }
  return all;
}

TEST(OptionTable, HasOneRowForAKeyAndForAWordOfTheCommandLine) {
  std::set<std::string_view> keys;
  std::set<std::string_view> words;
  for (const OptionRow& row : option_rows()) {
    EXPECT_TRUE(keys.insert(row.key).second) << row.key;
    EXPECT_EQ(option_row(row.key), &row);
    EXPECT_EQ(former_option(row.key, Spelling::kAgent), "") << row.key;
    if (row.words.empty()) continue;
    EXPECT_TRUE(words.insert(row.words).second) << row.words;
  }
  EXPECT_EQ(option_row("no-such"), nullptr);
}

TEST(OptionTable, ExplainsWhatPeopleGive) {
  for (const OptionRow& row : option_rows()) {
    EXPECT_TRUE(row.words.empty() || !row.help.empty()) << row.key;
    EXPECT_EQ(row.shape.empty(), row.form == OptionRow::Form::kFlag) << row.key;
    for (const AgentOptions& options : of_all_modes()) {
      EXPECT_EQ(help_of(row, options).find('{'), std::string::npos) << row.key;
    }
  }
}

TEST(OptionTable, NamesEveryEncoderAndThoseThatNeedAGraph) {
  const AgentOptions ids = options_of_mode<IdOptions>();
  for (const std::string_view name : encoder_names()) {
    EXPECT_NE(help_of(*option_row("encoder"), ids).find(name), std::string::npos) << name;
    if (!needs_graph(name)) continue;
    EXPECT_NE(help_of(*option_row("graph"), ids).find(name), std::string::npos) << name;
  }
}

// Takes a value other than the default for each row in each of its modes, through the string and back.
TEST(OptionTable, GivesEachOptionInTheFormInWhichItIsTaken) {
  for (const OptionRow& row : option_rows()) {
    int modes = 0;
    for (const AgentOptions& defaults : of_all_modes()) {
      if (!row.is_of(defaults)) continue;
      ++modes;
      AgentOptions options = defaults;
      bool taken = false;
      for (const char* value : {"", "16", "7s", "2M", "parallel:workers=2", "luce",
                                "cpu:interval=3ms", "full", "each", "x"}) {
        AgentOptions tried = defaults;
        if (!row.take(tried, value) || row.given(tried) == row.given(defaults)) continue;
        options = tried;
        taken = true;
        break;
      }
      ASSERT_TRUE(taken) << row.key;
      ASSERT_TRUE(is_given(row, options)) << row.key;
      AgentOptions again = defaults;
      for (const std::string& value : row.given(options)) {
        EXPECT_TRUE(row.take(again, value)) << row.key;
      }
      EXPECT_EQ(row.given(again), row.given(options)) << row.key;
    }
    EXPECT_GT(modes, 0) << row.key;
  }
}

TEST(OptionTable, TellsFlagsAndListsInAReport) {
  AgentOptions options = options_of_mode<TraceOptions>();
  options.jdk = true;
  options.include = {"a.**", "b.C"};
  const auto told = told_options(options, OptionRow::Told::kRecording);
  EXPECT_EQ(told.at("jdk"), "true");
  EXPECT_EQ(told.at("include"), "a.** b.C");
  EXPECT_EQ(told.at("exclude"), "");
  EXPECT_EQ(told.at("packet"), "4096");
}

}  // namespace
}  // namespace copse::agent
