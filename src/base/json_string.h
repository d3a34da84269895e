// JSON strings, for every JSON file and line that Copse writes.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Appends `text` in quotes. Escapes control characters, those above 7F too: a terminal obeys them.
// `in_script`: escapes '<' as well, so that no name can end an HTML script element. REQUIRES:
// `text` is valid UTF-8 (utf8.h).
void append_json_string(std::string& out, std::string_view text, bool in_script = false);

}  // namespace copse
