// Text as a JSON string, which every JSON file and line of ours is made with.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Appends `text`, which must be valid UTF-8 (utf8.h), in quotes. Control characters are escaped,
// those above 7F too: a terminal obeys them. `in_script`: '<' as well, so that no name can end an
// HTML script element.
void append_json_string(std::string& out, std::string_view text, bool in_script = false);

}  // namespace copse
