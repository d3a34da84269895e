// Answers calls of tools by commands of Copse.
#pragma once

#include "cli/mcp/answer.h"
#include "cli/mcp/tool_request.h"

namespace copse::cli {

struct ToolAnswer {
  AnswerText answer;
  bool is_failure = false;  // the text is a message, "what: why, what to do"
  int status = 0;           // exit status of the command, or of the program that it ran
};

// Called by: the process of the call, after end_commands_by_signal(). It takes kept reports out of its memory.
ToolAnswer answer_call(const ToolRequest& request);

}  // namespace copse::cli
