// What a mistyped word was most likely meant to be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Edit distance where swapping two neighbours counts once (optimal string alignment).
// Cost: product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

// How far away a word may be to be taken for a mistyped one: one letter in a short word, three in a
// long one.
std::size_t most_mistakes(std::string_view typed);

// The first of those of `known` that are nearest; "" when none is near. What was begun right but
// not finished is near whatever its length.
std::string nearest(const std::string& typed, const std::vector<std::string>& known);

}  // namespace copse
