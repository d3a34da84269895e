#include "cli/mcp/json_rpc.h"

#include <gtest/gtest.h>

#include <string>

namespace copse::cli {
namespace {

RpcMessage only_message(std::string_view line, bool allows_batches = false) {
  const std::vector<RpcMessage> messages = read_messages(line, allows_batches).messages;
  EXPECT_EQ(messages.size(), 1U);
  return messages.front();
}

TEST(JsonRpc, TellsRequestsFromNotificationsAndResponses) {
  const RpcMessage request =
      only_message(R"({"jsonrpc":"2.0","id":"a\"b","method":"m","params":{"x":"y"}})");
  ASSERT_TRUE(std::holds_alternative<RpcRequest>(request));
  EXPECT_EQ(std::get<RpcRequest>(request).id, R"("a\"b")");
  EXPECT_EQ(std::get<RpcRequest>(request).params.text_of("x"), "y");
  const RpcMessage notification = only_message(R"({"jsonrpc":"2.0","method":"m"})");
  ASSERT_TRUE(std::holds_alternative<RpcRequest>(notification));
  EXPECT_EQ(std::get<RpcRequest>(notification).id, "");
  EXPECT_TRUE(
      std::holds_alternative<RpcResponse>(only_message(R"({"jsonrpc":"2.0","id":1,"result":{}})")));
}

TEST(JsonRpc, KeepsTheIdOfAFaultyMessageWhereItHasOne) {
  const auto fault = [](const char* line) { return std::get<RpcFault>(only_message(line)); };
  EXPECT_EQ(fault(R"({"id":1.5,"method":"m"})").id, "1.5");
  EXPECT_EQ(fault(R"({"jsonrpc":"2.0","id":{},"method":"m"})").id, "null");
  EXPECT_EQ(fault("{").error, RpcError::kNoJson);
  EXPECT_EQ(fault("[]").error, RpcError::kNoMessage);
}

TEST(JsonRpc, TakesParametersThatAreNullForNone) {
  const RpcMessage request = only_message(R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})");
  ASSERT_TRUE(std::holds_alternative<RpcRequest>(request));
  EXPECT_TRUE(std::get<RpcRequest>(request).params.is(Json::Kind::kObject));
}

TEST(JsonRpc, WritesMessagesOfOneLine) {
  const std::string answers[] = {result_line("1", "{}"), result_line("2", "[]")};
  EXPECT_EQ(batch_line(answers),
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},"
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":[]}]\n");
  EXPECT_EQ(result_line("1", "{}"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
  EXPECT_EQ(
      error_line("null", RpcError::kNoJson, "a\nb"),
      "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"a\\u000ab\"}}\n");
}

TEST(LineReader, GivesTheSameLinesHoweverTheBytesCome) {
  const std::string bytes = "one\n\n  \r\ntwo\r\nthree";
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    LineReader reader;
    std::string lines;
    const auto take = [&] {
      while (const auto line = reader.next()) lines += "<" + line->text + ">";
    };
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      reader.feed(std::string_view(bytes).substr(at, size));
      take();
    }
    reader.finish();
    take();
    EXPECT_EQ(lines, "<one><two\r><three>");
  }
}

TEST(LineReader, LosesALineThatIsTooLongAndNoOther) {
  for (const std::size_t piece : {std::size_t{1} << 16, LineReader::kMostBytes * 2}) {
    const std::string bytes = "a\n" + std::string(LineReader::kMostBytes + 1, 'x') + "\nb\n";
    LineReader reader;
    std::string lines;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.feed(std::string_view(bytes).substr(at, piece));
      while (const auto line = reader.next())
        lines += line->too_long ? "<too long>" : "<" + line->text + ">";
    }
    EXPECT_EQ(lines, "<a><too long><b>");
  }
}

TEST(LineReader, TellsOfALineWithoutEndThatIsTooLong) {
  LineReader reader;
  reader.feed(std::string(LineReader::kMostBytes + 1, 'x'));
  EXPECT_FALSE(reader.next());
  reader.finish();
  const auto line = reader.next();
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->too_long);
}

TEST(JsonRpc, ABatchIsItsMessagesWhereBatchesAreAllowed) {
  const char* const batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"a"}, 7, {"jsonrpc":"2.0","method":"b"}])";
  const auto [messages, is_batch] = read_messages(batch, true);
  EXPECT_TRUE(is_batch);
  EXPECT_FALSE(read_messages(batch, false).is_batch);
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(std::get<RpcRequest>(messages[0]).method, "a");
  EXPECT_EQ(std::get<RpcFault>(messages[1]).error, RpcError::kNoMessage);
  EXPECT_EQ(std::get<RpcRequest>(messages[2]).id, "");
  EXPECT_EQ(std::get<RpcFault>(only_message(batch)).error, RpcError::kNoMessage);
  EXPECT_EQ(std::get<RpcFault>(only_message("[]", true)).error, RpcError::kNoMessage);
}

}  // namespace
}  // namespace copse::cli
