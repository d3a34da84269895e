#include "base/nearest.h"

#include <algorithm>
#include <numeric>

namespace copse {

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
  return std::max<std::size_t>(1, std::min<std::size_t>(3, typed.size() / 2));
}

std::string nearest(const std::string& typed, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = most_mistakes(typed) + 1;
  for (const std::string& name : known) {
    const bool begun = typed.size() > 1 && name.rfind(typed, 0) == 0;
    const std::size_t d = begun ? 1 : edit_distance(typed, name);
    if (d < best_distance) {
      best = name;
      best_distance = d;
    }
  }
  return best;
}

}  // namespace copse
