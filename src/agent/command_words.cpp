#include "agent/command_words.h"

#include <algorithm>

#include "agent/stack_scale.h"

namespace copse::agent {
namespace {

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is the start
}

// The name of the file that the word has the JVM load as an agent; "" when it is another word.
std::string agent_file(std::string_view word) {
  constexpr std::string_view kByPath = "-agentpath:";
  constexpr std::string_view kByName = "-agentlib:";
  // As the JVM does it: what follows the first '=' are the agent's options.
  const std::string_view option = word.substr(0, word.find('='));
  if (option.starts_with(kByPath)) return std::string(file_name(option.substr(kByPath.size())));
  if (option.starts_with(kByName)) {
    return "lib" + std::string(option.substr(kByName.size())) + ".so";
  }
  return "";
}

}  // namespace

std::vector<std::string> typed_words(std::vector<std::string> words, std::string_view agent,
                                     std::uint64_t main_stack_bytes) {
  const std::string_view own = file_name(agent);
  const bool is_java = !own.empty() && std::erase_if(words, [&](const std::string& word) {
                                         return agent_file(word) == own;
                                       }) != 0;
  if (main_stack_bytes == 0) return words;
  // A command other than java has the agent from the environment, and, when it is one of the JDK's
  // tools, hands the JVM words that begin with -J.
  const std::string stack = (is_java ? "" : "-J") + stack_option(main_stack_bytes);
  const auto found = std::find(words.begin(), words.end(), stack);
  if (found != words.end()) words.erase(found);
  return words;
}

}  // namespace copse::agent
