// Class archives and AOT caches that a command has its JVM make. A JVM that is to make an archive ends at once when it
// is given an agent; a cache lacks the classes that an agent changed.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace copse::cli {

// Values of variables of the environment, nullptr if unset.
struct JvmVariables {
  const char* jdk_java_options = nullptr;
  const char* java_tool_options = nullptr;
};

// Has the command's JVM use an archive that it would else renew at its end (-XX:+AutoCreateSharedArchive), and take no
// notes for one (-XX:+RecordDynamicDumpInfo): the program then does what it does in any other run.
void leave_archives_as_they_are(std::vector<std::string>& command);

// Returns the option by which the command's JVM still makes an archive; "" if there is none. An archive that somebody
// asks for is made, without an agent.
std::string option_that_makes_archive(const std::vector<std::string>& command,
                                      const JvmVariables& variables);

}  // namespace copse::cli
