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
//
// A JVM that Maven Surefire or Failsafe, or Gradle, starts for tests runs a jar or an argument that has another name each
// time. Its name is that of the project's folder, `folder`, the JVM's working directory: "surefire-shop", for another
// fork of the same tests "surefire-shop-2", and "gradle-test-shop".
std::string program_name(std::string_view java_command, std::string_view folder);

}  // namespace copse::agent
