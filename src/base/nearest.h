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

// Returns the largest distance at which a word counts as a mistyped one: a third of its letters, one at least and three at
// most.
std::size_t most_mistakes(std::string_view typed);

// Returns the text with the small letters of ASCII.
std::string in_small_letters(std::string_view text);

// Returns the first of the nearest words in `known`; "" when none is near. Case does not matter. A qualified name is
// compared as a whole and by its last components, as many as `typed` has: "fnid" is near to "shop.Db.find". A word that
// begins with `typed` is near whatever its length. If none is near, the word that contains `typed`: the only one, or the
// first one for five letters and more.
std::string nearest(const std::string& typed, const std::vector<std::string>& known);

// Returns "; did you mean X?" with the nearest name in `known`, or `otherwise` if none is near.
std::string did_you_mean(const std::string& typed, const std::vector<std::string>& known,
                         const std::string& otherwise = "");

}  // namespace copse
