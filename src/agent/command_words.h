// A JVM's command line as its user typed it: without the options that Copse put into it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::agent {

// Leaves out the words `-agentpath:PATH[=OPTIONS]` and `-agentlib:NAME[=OPTIONS]` that load the
// library `agent`, its path. PATH may be spelled in another way (relative, through a link): the
// file's name decides.
//
// `main_stack_bytes`: the stack that `copse run` asked for on this command line (stack_scale.h),
// whose word is left out too; 0: none.
std::vector<std::string> typed_words(std::vector<std::string> words, std::string_view agent,
                                     std::uint64_t main_stack_bytes);

}  // namespace copse::agent
