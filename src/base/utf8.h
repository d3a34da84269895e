// Conversion of text to valid UTF-8, the encoding of reports. The text comes from class files
// (modified UTF-8: NUL as C0 80, characters beyond the BMP as two encoded surrogates) or from the
// system (any bytes).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace copse {

// Converts both forms. Other bytes become U+FFFD, one per maximal invalid part.
std::string valid_utf8(std::string_view text);
// Does the same in place. Cost: one scan when the text is plain ASCII.
void make_valid_utf8(std::string& text);

// Appends the UTF-8 form of a code point; surrogates and values above 10FFFF become U+FFFD.
void append_code_point(std::string& out, char32_t code_point);

// Returns the number of code points of valid UTF-8: the width of a table's cell.
std::size_t characters(std::string_view text);

// Takes the first code point off `text`, which must not be empty. Invalid bytes give U+FFFD.
char32_t take_code_point(std::string_view& text);

}  // namespace copse
