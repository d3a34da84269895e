// Name of the program that a JVM runs, usable in a file name: %c of an output path.
#pragma once

#include <string>
#include <string_view>

namespace copse::agent {

// Returns the program's name from the system property sun.java.command, "pkg.Main ARG...", "module/pkg.Main
// ARG..." or "/path/to/some.jar ARG...": the class, or the jar's name without its folder and ".jar". Characters
// other than letters, digits, '.', '_', '-' and '$' become '_'. The name is cut after 80 characters. Returns
// "jvm" if the property tells nothing, as in a JVM that no java launcher started. A look for the file tells a
// jar path with blanks from a path and arguments.
std::string program_name(std::string_view java_command);

}  // namespace copse::agent
