// JSON-RPC 2.0 as the Model Context Protocol has it on standard input and output: one message a line. Version 2025-03-26
// alone has batches; a batch is answered by one list.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/mcp/json.h"

namespace copse::cli {

enum class RpcError {
  kNoJson = -32700,
  kNoMessage = -32600,
  kNoMethod = -32601,
  kParameters = -32602,
  kNotFound = -32002,  // of a resource
};

struct RpcRequest {
  std::string id;  // as JSON; "" for a notification
  std::string method;
  Json params;  // an object
};
// Answer to a request of ours. The server makes none, and ignores them.
struct RpcResponse {};
struct RpcFault {
  std::string id;  // as JSON, "null" if the message does not tell it
  RpcError error;
  std::string why;
};
using RpcMessage = std::variant<RpcRequest, RpcResponse, RpcFault>;

struct RpcLine {
  std::vector<RpcMessage> messages;  // one unless it is a batch
  bool is_batch = false;             // the answers are to come as one list
};
// Returns the messages of a line. Never throws but std::bad_alloc, whatever the line is.
RpcLine read_messages(std::string_view line, bool allows_batches);

// Lines to send, with their line end. `result` and `params`: JSON. `lines`: at least one answer of a batch.
std::string result_line(std::string_view id, std::string_view result);
std::string error_line(std::string_view id, RpcError error, std::string_view why);
std::string batch_line(std::span<const std::string> lines);
std::string notification_line(std::string_view method, std::string_view params);

// Cuts a stream of bytes into lines without their ends. Blank lines are left out.
class LineReader {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{4} << 20;  // of a line

  struct Line {
    std::string text;
    bool too_long = false;  // its text is lost
  };

  void feed(std::string_view bytes);
  // Ends the last line where it has no end of its own.
  void finish();
  std::optional<Line> next();

 private:
  std::string rest_;        // from the beginning of a line on
  std::size_t looked_ = 0;  // bytes of `rest_` without a line end
  bool skips_ = false;      // until the end of a line that is too long
};

}  // namespace copse::cli
