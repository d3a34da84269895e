// Options that a command gives to its JVM: those that the java launcher finds before the main class or the jar, also in
// files (@FILE) and variables of the environment, and those of the JDK's tools (-J).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace copse::cli {

// Returns true if a command's first word is java itself, which takes the JVM's options.
bool is_java_launcher(const std::string& word);

// Returns true for javac and the like, found as a shell finds programs: the same launcher, which takes the JVM's
// options behind -J.
bool is_jdk_tool(const std::string& word);

// Returns the file of a program, found as a shell finds programs; the name itself if there is none.
std::string file_of_program(const std::string& name);

class LauncherOptions {
 public:
  struct Option {
    std::string text;  // without -J
    std::size_t word;  // index in the command
  };

  // Reads the options of a command: of java, of a JDK's tool, none of others.
  static LauncherOptions of_command(const std::vector<std::string>& words);
  // Reads the value of a variable such as JDK_JAVA_OPTIONS; nullptr if unset.
  static LauncherOptions of_variable(const char* text);

  const std::vector<Option>& all() const { return all_; }
  // Returns whether an option behind that word of the command is still the JVM's: false for a file that names the
  // program, too.
  bool can_follow(std::size_t word) const { return word == 0 || word != ending_file_; }
  // Puts an option for the JVM behind a word of the command.
  void insert_behind(std::size_t word, const std::string& option,
                     std::vector<std::string>& words) const;

 private:
  void take(const std::string& text, std::size_t word);
  void read_file(const std::string& path, std::size_t word);

  std::vector<Option> all_;
  std::size_t ending_file_ = 0;  // word of the file that names the program; 0 if there is none
  std::string_view prefix_;      // of an option in the command
  bool is_value_ = false;        // the next word belongs to the last option
  bool ended_ = false;
};

}  // namespace copse::cli
