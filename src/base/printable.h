// Text of unknown origin on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Control characters, line ends and marks that change the writing direction as \u00XX, invalid
// bytes as U+FFFD, so that a name can neither move the cursor nor hide: what a terminal may safely
// show.
std::string printable(std::string_view text);

}  // namespace copse
