// Variables that bring the agent to the JVMs below a script, and the names under which libcopse-launch.so
// (src/cli/preload) holds their values while a JVM starts whose arguments bring it. The agent gives the values back,
// for the JVMs that the program starts.
#pragma once

#include <array>

namespace copse::agent {

struct LaunchVariable {
  const char* name;
  const char* held;
};

inline constexpr LaunchVariable kToolOptions{"JAVA_TOOL_OPTIONS", "COPSE_HELD_JAVA_TOOL_OPTIONS"};
inline constexpr LaunchVariable kJavaOptions{"JDK_JAVA_OPTIONS", "COPSE_HELD_JDK_JAVA_OPTIONS"};
inline constexpr std::array kLaunchVariables = {kToolOptions, kJavaOptions};

}  // namespace copse::agent
