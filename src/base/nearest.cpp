#include "base/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace copse {
namespace {

constexpr std::string_view kBetweenComponents = ".$";

// "shop.Db.find", 2 -> "Db.find".
std::string_view last_components(std::string_view name, std::size_t count) {
  std::size_t begin = name.size();
  while (count-- > 0 && begin != 0 && begin != std::string_view::npos) {
    begin = name.find_last_of(kBetweenComponents, begin - 1);
  }
  return begin == std::string_view::npos || begin == 0 ? name : name.substr(begin + 1);
}

std::size_t components(std::string_view name) {
  return 1 + static_cast<std::size_t>(std::ranges::count_if(name, [](char c) {
           return kBetweenComponents.find(c) != std::string_view::npos;
         }));
}

// Compares words with the typed one.
class Typed {
 public:
  explicit Typed(std::string_view typed) : typed_(in_small_letters(typed)) {}

  // Number of mistakes; exact below `bound` alone.
  std::size_t distance(std::string_view word, std::size_t bound) const {
    const std::string name = in_small_letters(word);
    const std::string_view part = last_components(name, components_);
    const std::size_t whole = distance_of_text(name, bound);
    return part.size() == name.size() ? whole : std::min(whole, distance_of_text(part, bound));
  }
  bool is_part_of(std::string_view word) const {
    const std::string name = in_small_letters(word);
    return last_components(name, components_).find(typed_) != std::string_view::npos;
  }

 private:
  std::size_t distance_of_text(std::string_view text, std::size_t bound) const {
    if (typed_ == text) return 0;
    if (typed_.size() > 1 && text.starts_with(typed_)) return 1;
    const std::size_t longer = std::max(typed_.size(), text.size());
    const std::size_t least = longer - std::min(typed_.size(), text.size());
    return least >= bound ? bound : edit_distance(typed_, text);
  }

  const std::string typed_;
  const std::size_t components_ = components(typed_);
};

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = above;
    above = row;
  }
  return above[b.size()];
}

std::size_t most_mistakes(std::string_view typed) {
  return std::max<std::size_t>(1, std::min<std::size_t>(3, (typed.size() + 1) / 3));
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

std::string nearest(const std::string& typed, const std::vector<std::string>& known) {
  constexpr std::size_t kLeastPart = 3, kTellingPart = 5;
  const Typed word(typed);
  std::string best;
  std::size_t best_distance = most_mistakes(typed) + 1;
  for (const std::string& name : known) {
    const std::size_t d = word.distance(name, best_distance);
    if (d < best_distance) {
      best = name;
      best_distance = d;
    }
  }
  if (!best.empty() || typed.size() < kLeastPart) return best;
  std::size_t parts = 0;
  for (const std::string& name : known) {
    if (!word.is_part_of(name)) continue;
    if (parts++ == 0) best = name;
  }
  return parts == 1 || typed.size() >= kTellingPart ? best : "";
}

std::string did_you_mean(const std::string& typed, const std::vector<std::string>& known,
                         const std::string& otherwise) {
  const std::string guess = nearest(typed, known);
  return guess.empty() ? otherwise : "; did you mean " + guess + "?";
}

}  // namespace copse
