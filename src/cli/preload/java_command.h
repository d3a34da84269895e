// A java command as libcopse-launch.so sees it, which is loaded into every process below a launcher and so needs nothing
// of the C++ library at run time.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace copse::cli {

inline constexpr const char* kLaunchLibrary = "libcopse-launch.so";

// Options of the java launcher whose value is the next word.
inline bool takes_next_word(std::string_view option) {
  constexpr std::array<std::string_view, 16> kOptions = {"-cp",
                                                         "-classpath",
                                                         "--class-path",
                                                         "-p",
                                                         "--module-path",
                                                         "--upgrade-module-path",
                                                         "--add-modules",
                                                         "--enable-native-access",
                                                         "--limit-modules",
                                                         "--add-reads",
                                                         "--add-exports",
                                                         "--add-opens",
                                                         "--patch-module",
                                                         "-d",
                                                         "--describe-module",
                                                         "--source"};
  return std::find(kOptions.begin(), kOptions.end(), option) != kOptions.end();
}

// Returns true if the launcher takes the word for the end of the JVM's options: the main class, or what names it.
inline bool ends_options(std::string_view word) {
  return !word.starts_with('-') || word == "-jar" || word == "-m" || word == "--module" ||
         word.starts_with("--module=");
}

// Returns true if java only prints: its version, its options or its modules. `words`: a null-terminated argv of java.
inline bool only_prints(const char* const* words) {
  constexpr std::array<std::string_view, 13> kPrinting = {"-version",
                                                          "--version",
                                                          "-fullversion",
                                                          "--full-version",
                                                          "-help",
                                                          "--help",
                                                          "-h",
                                                          "-?",
                                                          "-X",
                                                          "--help-extra",
                                                          "-d",
                                                          "--describe-module",
                                                          "--list-modules"};
  for (const char* const* at = words + 1; *at != nullptr && !ends_options(*at); ++at) {
    const std::string_view word = *at;
    if (std::find(kPrinting.begin(), kPrinting.end(), word) != kPrinting.end()) return true;
    if (takes_next_word(word) && *++at == nullptr) break;
  }
  return false;
}

// As substr(), which can throw and so needs the C++ library.
inline std::string_view first_of(std::string_view text, std::size_t bytes) {
  return {text.data(), bytes};
}
inline std::string_view rest_of(std::string_view text, std::size_t from) {
  return {text.data() + from, text.size() - from};
}

// Returns the agent's option that `copse run` has put behind JAVA_TOOL_OPTIONS, without its quotes; "" if it is not
// there, or not the last.
inline std::string_view agent_option(std::string_view options) {
  const std::size_t at =
      std::max(options.rfind("\"-agentpath:") + 1, options.rfind("'-agentpath:") + 1);
  if (at == 0 || options.find(options[at - 1], at) != options.size() - 1) return {};
  return first_of(rest_of(options, at), options.size() - at - 1);
}

// Returns the part in front of it.
inline std::string_view without_agent(std::string_view options) {
  const std::string_view agent = agent_option(options);
  if (agent.empty()) return options;
  const std::size_t at = options.size() - agent.size() - 2;  // with both quotes
  return first_of(options, at - (at > 0 && options[at - 1] == ' '));
}

// Returns the stack size that `copse run` has put behind JDK_JAVA_OPTIONS; "" if none is there.
inline std::string_view stack_size_in(std::string_view options) {
  const std::string_view last =
      rest_of(options, options.rfind(' ') + 1);  // all, where there is no space
  return last.starts_with("-Xss") ? last : std::string_view{};
}

// Returns the part in front of it.
inline std::string_view without_stack_size(std::string_view options) {
  const std::size_t bytes = stack_size_in(options).size();
  if (bytes == 0) return options;
  return first_of(options, options.size() - std::min(bytes + 1, options.size()));
}

}  // namespace copse::cli
