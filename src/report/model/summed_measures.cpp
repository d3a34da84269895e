#include "report/model/summed_measures.h"

#include <algorithm>
#include <utility>

namespace copse::report {

void insert_sum(std::vector<ProgramTables::Measure>& measures, std::string name,
                std::span<const std::string_view> parts, std::span<const std::string_view> before) {
  const auto is_part = [parts](const ProgramTables::Measure& measure) {
    return std::find(parts.begin(), parts.end(), measure.name) != parts.end();
  };
  const auto first = std::find_if(measures.begin(), measures.end(), is_part);
  const auto place = std::find_if(measures.begin(), measures.end(), [&](const auto& measure) {
    return std::find(before.begin(), before.end(), measure.name) != before.end();
  });
  if (first == measures.end() || place == measures.end()) return;
  ProgramTables::Measure sum{std::move(name), first->unit, 0, {}};
  for (const ProgramTables::Measure& part : measures) {
    if (!is_part(part)) continue;
    sum.lost += part.lost;
    sum.values.resize(std::max(sum.values.size(), part.values.size()));
    for (std::size_t node = 0; node < part.values.size(); ++node) {
      sum.values[node] += part.values[node];
    }
  }
  measures.insert(place, std::move(sum));
}

}  // namespace copse::report
