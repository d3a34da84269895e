// A JVM's command line as its user typed it: without the options that Copse put into it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::agent {

// Removes the words `-agentpath:PATH[=OPTIONS]` and `-agentlib:NAME[=OPTIONS]` that load the library at the
// path `agent`. Only the file names are compared, because PATH may be spelled in another way (relative, through
// a link).
//
// `main_stack_bytes`: stack size that `copse run` put on this command line (stack_scale.h); its word is removed
// too. 0 means none.
std::vector<std::string> typed_words(std::vector<std::string> words, std::string_view agent,
                                     std::uint64_t main_stack_bytes);

}  // namespace copse::agent
