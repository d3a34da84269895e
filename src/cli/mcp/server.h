// A server of the Model Context Protocol, version 2025-06-18, on standard input and output.
//
// This process reads requests, and keeps reports. Each call of a tool, and each resource, is answered by a copy of it,
// four at a time: a call that fails, or is cancelled, takes nothing else with it. Progress is told once a second.
// Standard output has messages alone.
#pragma once

#include <string>
#include <vector>

#include "cli/command_outline.h"

namespace copse::cli {

struct ServerOptions {
  bool allow_run = false;
  std::vector<CommandOutline> commands;
};

// Serves until standard input ends and all calls are answered, or until the client is gone. Returns the exit status.
int serve(const ServerOptions& options);

}  // namespace copse::cli
