// The most likely intended word for a mistyped one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Returns the edit distance in which swapping two neighbours counts once (optimal string
// alignment). Cost: product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the largest distance at which a word counts as a mistyped one: one letter in a short
// word, three in a long one.
std::size_t most_mistakes(std::string_view typed);

// Returns the first of the nearest words in `known`; "" when none is near. A word that begins with
// `typed` is near whatever its length.
std::string nearest(const std::string& typed, const std::vector<std::string>& known);

}  // namespace copse
