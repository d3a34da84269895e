// What a JVM runs, in a word that can stand in a file's name: %c of an output path.
#pragma once

#include <string>
#include <string_view>

namespace copse::agent {

// Of the system property sun.java.command, "pkg.Main ARG...", "module/pkg.Main ARG..." or
// "/path/to/some.jar ARG...": the class, or the jar's name without its folder and ".jar". Other
// characters than letters, digits, '.', '_', '-' and '$' become '_', and it ends after 80. "jvm"
// where the property tells nothing: a JVM that no java launcher started. A jar whose path has
// blanks is told from a path and arguments by looking for the file.
std::string program_name(std::string_view java_command);

}  // namespace copse::agent
