#include "encoders/study/text_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/grouped.h"
#include "base/utf8.h"

namespace copse::study {

std::string fixed(double number, int digits) {
  char text[400];
  std::snprintf(text, sizeof(text), "%.*f", digits, number);
  return text;
}

std::string significant(double number) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.2g", number);
  return text;
}

std::string percent(double share) {
  if (share >= 1) return "100 %";
  return fixed(std::floor(share * 10'000) / 100, 2) + " %";
}

std::string bytes_text(double bytes) {
  if (bytes < 9'999.5) return grouped(static_cast<std::uint64_t>(std::llround(bytes)));
  const char* unit = " k";
  for (const char* larger : {" M", " G", " T"}) {
    bytes /= 1000;
    if (bytes < 999.5) break;
    unit = larger;
  }
  return fixed(bytes, bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0) + unit;
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], characters(row[i]));
  }
  std::string text;
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - characters(row[i]), ' ');
      const bool left = i == 0 || (last_left_ && i + 1 == widths.size());
      text += (i == 0 ? "" : "  ") + (left ? row[i] + pad : pad + row[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace copse::study
