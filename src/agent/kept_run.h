// What a run leaves in a folder while it is under way, for the case that its process is killed:
//
//   PID.memory   the trees (shadowstack/shared_memory.h)
//   PID.names    a trace without calls: the program and the names behind the ids
//   manifest     in a folder that a command made: a link to its manifest (manifest.h)
//
// A run that comes to its end removes its two files.
#pragma once

#include <string>
#include <string_view>

namespace copse {

inline constexpr std::string_view kKeptMemory = ".memory";
inline constexpr std::string_view kKeptNames = ".names";

// Beside the recording's own options in the names' program: the report to write, the agent's option
// string, when recording started (milliseconds since the epoch), and what the JVM runs.
inline constexpr const char* kKeptOutput = "kept.output";
inline constexpr const char* kKeptOptions = "kept.options";
inline constexpr const char* kKeptStart = "kept.start";
inline constexpr const char* kKeptProgram = "kept.program";

}  // namespace copse
