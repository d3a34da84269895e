#include "cli/mcp/json_rpc.h"

#include <utility>

namespace copse::cli {
namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

RpcMessage message_of(const Json& message) {
  if (!message.is(Json::Kind::kObject)) {
    return RpcFault{"null", RpcError::kNoMessage, "a message is an object"};
  }
  const Json* id = message.find("id");
  const bool is_id_valid =
      id != nullptr && (id->is(Json::Kind::kText) || id->is(Json::Kind::kNumber));
  const std::string id_text = is_id_valid ? id->as_json() : "null";
  const auto fault = [&](const char* why) { return RpcFault{id_text, RpcError::kNoMessage, why}; };
  if (message.text_of("jsonrpc") != "2.0") return fault("jsonrpc must be \"2.0\"");
  if (id != nullptr && !is_id_valid) return fault("id must be a text or a number");
  const Json* method = message.find("method");
  if (method == nullptr) {
    const bool answers = message.find("result") != nullptr || message.find("error") != nullptr;
    if (id != nullptr && answers) return RpcResponse{};
    return fault("method is missing");
  }
  if (!method->is(Json::Kind::kText)) return fault("method must be a text");
  const Json* params = message.find("params");
  const bool has_params = params != nullptr && !params->is(Json::Kind::kNull);
  if (has_params && !params->is(Json::Kind::kObject)) return fault("params must be an object");
  return RpcRequest{id == nullptr ? "" : id_text, method->text,
                    !has_params
                        ? Json{.kind = Json::Kind::kObject, .text = "", .names = {}, .items = {}}
                        : *params};
}

}  // namespace

RpcLine read_messages(std::string_view line, bool allows_batches) {
  const std::optional<Json> read = parse_json(line);
  if (!read) {
    return {{RpcFault{"null", RpcError::kNoJson,
                      "the line is no JSON, or is nested more than 64 deep"}}};
  }
  if (!read->is(Json::Kind::kList)) return {{message_of(*read)}};
  if (!allows_batches || read->items.empty()) {
    return {{RpcFault{"null", RpcError::kNoMessage,
                      allows_batches ? "the batch is empty"
                                     : "batches are not allowed; send one message a line"}}};
  }
  RpcLine batch{{}, true};
  for (const Json& message : read->items) batch.messages.push_back(message_of(message));
  return batch;
}

std::string result_line(std::string_view id, std::string_view result) {
  return JsonObject().add_text("jsonrpc", "2.0").add("id", id).add("result", result).take() + "\n";
}

std::string error_line(std::string_view id, RpcError error, std::string_view why) {
  const std::string about = JsonObject()
                                .add("code", std::to_string(static_cast<int>(error)))
                                .add_text("message", why)
                                .take();
  return JsonObject().add_text("jsonrpc", "2.0").add("id", id).add("error", about).take() + "\n";
}

std::string batch_line(std::span<const std::string> lines) {
  std::string list;
  for (const std::string& line : lines) {
    list += list.empty() ? '[' : ',';
    list += std::string_view(line).substr(0, line.size() - 1);
  }
  return list + "]\n";
}

std::string notification_line(std::string_view method, std::string_view params) {
  return JsonObject()
             .add_text("jsonrpc", "2.0")
             .add_text("method", method)
             .add("params", params)
             .take() +
         "\n";
}

void LineReader::feed(std::string_view bytes) { rest_ += bytes; }

void LineReader::finish() {
  if (!rest_.empty() || skips_) rest_ += '\n';
}

std::optional<LineReader::Line> LineReader::next() {
  for (;;) {
    const std::size_t end = rest_.find('\n', looked_);
    if (end == std::string::npos) {
      looked_ = rest_.size();
      if (rest_.size() <= kMostBytes) return std::nullopt;
      rest_.clear();
      looked_ = 0;
      skips_ = true;
      return std::nullopt;
    }
    Line line{rest_.substr(0, end), end > kMostBytes};
    rest_.erase(0, end + 1);
    looked_ = 0;
    if (std::exchange(skips_, false) || line.too_long) return Line{"", true};
    if (!is_blank(line.text)) return line;
  }
}

}  // namespace copse::cli
