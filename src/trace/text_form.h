// The words of a text trace (docs/binary-formats.md), shared by its reader and its writer.
//
// A text is one word: bytes up to the space, '%', '#', and 0x7f are written %XX. The empty text is
// "-", and the text "-" is "%2d".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace copse::trace {

inline constexpr std::string_view kTextHeader = "copse trace text 1";

std::string text_word(std::string_view text);
// Returns std::nullopt for a '%' without two hexadecimal digits behind it.
std::optional<std::string> text_of_word(std::string_view word);

}  // namespace copse::trace
