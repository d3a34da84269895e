// A JVM's command line as its user typed it: without the option that brought Copse into it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Leaves out the words `-agentpath:PATH[=OPTIONS]` and `-agentlib:NAME[=OPTIONS]` that load the
// library `agent`, its path. PATH may be spelled in another way (relative, through a link): the
// file's name decides.
std::vector<std::string> without_agent(std::vector<std::string> words, std::string_view agent);

}  // namespace copse
