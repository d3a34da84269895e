// Any bytes as what a client sends: each line is a message or has a fault; JSON reads the same when it is written again; and
// no argument of a tool becomes an option of a command.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "cli/mcp/json_rpc.h"
#include "cli/mcp/tool_request.h"
#include "support/fuzz_require.h"

using namespace copse;
using namespace copse::cli;

namespace {

std::string written(const Json& value) {
  if (value.is(Json::Kind::kList)) {
    std::vector<std::string> items;
    for (const Json& item : value.items) items.push_back(written(item));
    return json_list(items);
  }
  if (!value.is(Json::Kind::kObject)) return value.as_json();
  JsonObject object;
  for (std::size_t i = 0; i < value.names.size(); ++i)
    object.add(value.names[i], written(value.items[i]));
  return object.take();
}

// Returns whether the word begins an option only as a parameter of the table has it.
bool is_of_table(const Tool& tool, const std::string& word) {
  if (!word.starts_with('-')) return true;
  return std::ranges::any_of(tool.parameters, [&word](const ToolParameter& parameter) {
    if (!parameter.option.starts_with("--")) return false;
    if (parameter.kind == ValueKind::kFlag) return word == parameter.option;
    return word.starts_with(std::string(parameter.option) + "=");
  });
}

void try_tools(const Json& arguments) {
  for (const Tool& tool : tools()) {
    const Result<ToolRequest> request = read_request(tool, arguments);
    if (!request.ok()) continue;
    for (const std::string& word : words_of(*request)) {
      require(!word.empty() && word.find('\0') == std::string::npos, "a word of a command line");
      require(is_of_table(tool, word), "an option of the table");
    }
    (void)request->reports();
    (void)request->number("max_bytes", 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  LineReader reader;
  reader.feed({reinterpret_cast<const char*>(data), size});
  reader.finish();
  while (const std::optional<LineReader::Line> line = reader.next()) {
    for (const RpcMessage& message : read_messages(line->text, true).messages) {
      if (const auto* fault = std::get_if<RpcFault>(&message)) {
        const std::string answer = error_line(fault->id, fault->error, fault->why);
        require(parse_json(answer).has_value(), "an answer that is JSON");
      } else if (const auto* request = std::get_if<RpcRequest>(&message)) {
        const std::string again = written(request->params);
        const std::optional<Json> read = parse_json(again);
        require(read && written(*read) == again, "the same JSON again");
        try_tools(request->params);
        if (const Json* arguments = request->params.find("arguments")) try_tools(*arguments);
      }
    }
  }
  return 0;
}
