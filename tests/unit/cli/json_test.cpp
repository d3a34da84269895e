#include "cli/mcp/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace copse::cli {
namespace {

nlohmann::json as_library_has_it(const Json& value) {
  switch (value.kind) {
    case Json::Kind::kText:
      return value.text;
    case Json::Kind::kList: {
      nlohmann::json list = nlohmann::json::array();
      for (const Json& item : value.items) list.push_back(as_library_has_it(item));
      return list;
    }
    case Json::Kind::kObject: {
      nlohmann::json object = nlohmann::json::object();
      for (std::size_t i = 0; i < value.names.size(); ++i) {
        object[value.names[i]] = as_library_has_it(value.items[i]);
      }
      return object;
    }
    default:
      return nlohmann::json::parse(value.text);
  }
}

void expect_same(const std::string& text) {
  const nlohmann::json library = nlohmann::json::parse(text, nullptr, false);
  const std::optional<Json> ours = parse_json(text);
  ASSERT_EQ(ours.has_value(), !library.is_discarded()) << text;
  if (ours) {
    EXPECT_EQ(as_library_has_it(*ours), library) << text;
  }
}

TEST(Json, IsWhatTheLibraryReads) {
  for (const char* text : {"{}",
                           "[]",
                           " null ",
                           "true",
                           "false",
                           "0",
                           "-0",
                           "-1.5e+3",
                           "01",
                           "1.",
                           ".5",
                           "1e",
                           "+1",
                           "\"\"",
                           "\"a\\u00e9\\n\"",
                           "\"\\ud83d\\ude00\"",
                           "\"\\ud83d\"",
                           "\"\\ude00\"",
                           "\"\\u12\"",
                           "\"\\x\"",
                           "\"a",
                           "\"\t\"",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{\"a\":1,}",
                           "{\"a\" : [1, {\"b\":null}] , \"a\":2}",
                           "{a:1}",
                           "{\"a\"}",
                           "[1]]",
                           "",
                           " ",
                           "nul",
                           "\xC3\xA9",
                           "\"\xC3\xA9\"",
                           "\"\xFF\"",
                           "\"\xC0\x80\"",
                           "\"\xED\xA0\x80\"",
                           "\"\x7F\""}) {
    expect_same(text);
  }
}

TEST(Json, IsRefusedWithBytesThatTheParserSkips) {
  EXPECT_FALSE(parse_json(std::string_view("{}\0{", 4)));
  EXPECT_FALSE(parse_json(std::string_view("{}\0", 3)));
  EXPECT_FALSE(parse_json("\xEF\xBB\xBF{}"));
}

TEST(Json, KeepsTheDigitsOfNumbers) {
  for (const char* number :
       {"7", "-7", "18446744073709551616", "1.50", "1e2", "123456789012345678901234567890"}) {
    EXPECT_EQ(parse_json(number)->as_json(), number);
  }
}

TEST(Json, IsWhatTheLibraryReadsWhateverTheBytesAre) {
  constexpr std::string_view kPieces[] = {
      "{",    "}",    "[",        "]",    ":",         ",",     "\"",    "\\",   "\\u",
      "00e9", "d83d", "\"a\"",    "1",    "-",         ".",     "e",     "true", "null",
      " ",    "\n",   "\xC3\xA9", "\xFF", "{\"a\":1}", "[1,2]", "\"b\":"};
  const unsigned seed = 7;
  std::mt19937 random(seed);
  for (int round = 0; round < 20'000; ++round) {
    std::string text =
        round % 2 == 0 ? "" : R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"b":[1,"c"]}})";
    for (std::size_t changes = 1 + random() % 6; changes > 0; --changes) {
      const std::string_view piece = kPieces[random() % std::size(kPieces)];
      text.insert(random() % (text.size() + 1), piece);
      if (random() % 3 == 0 && !text.empty()) text.erase(random() % text.size(), 1 + random() % 3);
    }
    expect_same(text);
  }
}

TEST(Json, IsRefusedWhereItIsNestedTooDeep) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(parse_json(nested(kMostNesting)));
  EXPECT_FALSE(parse_json(nested(kMostNesting + 1)));
  EXPECT_FALSE(parse_json(std::string(1'000'000, '[')));
}

TEST(Json, TakesTheLastMemberOfAName) {
  const std::optional<Json> object = parse_json(R"({"a":"b","a":"c","n":7})");
  ASSERT_TRUE(object);
  EXPECT_EQ(object->text_of("a"), "c");
  EXPECT_EQ(object->text_of("n"), std::nullopt);
  EXPECT_TRUE(object->find("n")->is_whole());
  EXPECT_EQ(object->find("x"), nullptr);
}

TEST(Json, IsWrittenSoThatItCanBeRead) {
  const std::string text("a\"\\\n\x01\xFF<\xC2\x85", 9);
  const std::string json =
      JsonObject().add_text("t", text).add("l", as_json(std::vector<std::string>{"x", ""})).take();
  const nlohmann::json read = nlohmann::json::parse(json);
  EXPECT_EQ(read["t"].get<std::string>(), "a\"\\\n\x01\xEF\xBF\xBD<\xC2\x85");
  EXPECT_EQ(read["l"], nlohmann::json({"x", ""}));
}

}  // namespace
}  // namespace copse::cli
