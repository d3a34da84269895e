#include "agent/option_table.h"

#include <gtest/gtest.h>

#include <set>

namespace copse::agent {
namespace {

TEST(OptionTable, HasOneRowForAKeyAndForAWordOfTheCommandLine) {
  std::set<std::string_view> keys;
  std::set<std::string_view> words;
  for (const OptionRow& row : option_rows()) {
    EXPECT_TRUE(keys.insert(row.key).second) << row.key;
    EXPECT_EQ(option_row(row.key), &row);
    if (row.words.empty()) continue;
    EXPECT_TRUE(words.insert(row.words).second) << row.words;
  }
  EXPECT_EQ(option_row("no-such"), nullptr);
}

TEST(OptionTable, ExplainsWhatPeopleGive) {
  for (const OptionRow& row : option_rows()) {
    EXPECT_TRUE(row.words.empty() || !row.help.empty()) << row.key;
    EXPECT_EQ(row.shape.empty(), row.form == OptionRow::Form::kFlag) << row.key;
  }
}

TEST(OptionTable, NamesEveryEncoderAndThoseThatNeedAGraph) {
  for (const OptionRow& row : option_rows()) {
    EXPECT_EQ(help_of(row).find('{'), std::string::npos) << row.key;
  }
  for (const std::string_view name : encoder_names()) {
    EXPECT_NE(help_of(*option_row("encoder")).find(name), std::string::npos) << name;
    if (!needs_graph(name)) continue;
    EXPECT_NE(help_of(*option_row("graph")).find(name), std::string::npos) << name;
  }
}

// Of each row a value that is not the default, through the string and back.
TEST(OptionTable, GivesEachOptionInTheFormInWhichItIsTaken) {
  for (const OptionRow& row : option_rows()) {
    AgentOptions options;
    bool taken = false;
    for (const char* value : {"", "16", "7s", "2M", "inline", "luce", "cpu", "full", "each", "x"}) {
      AgentOptions tried;
      if (!row.take(tried, value) || row.given(tried) == row.given(AgentOptions())) continue;
      options = tried;
      taken = true;
      break;
    }
    ASSERT_TRUE(taken) << row.key;
    ASSERT_TRUE(is_given(row, options, AgentOptions())) << row.key;
    AgentOptions again;
    for (const std::string& value : row.given(options))
      EXPECT_TRUE(row.take(again, value)) << row.key;
    EXPECT_EQ(row.given(again), row.given(options)) << row.key;
  }
}

TEST(OptionTable, TellsFlagsAndListsInAReport) {
  AgentOptions options;
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
