// Text of unknown origin, made safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Returns `text` with control characters, line ends and marks that change the writing direction as
// \u00XX, and invalid bytes as U+FFFD. A name can then neither move the cursor nor hide.
std::string printable(std::string_view text);

}  // namespace copse
