// Writes figures of encoders as lines of text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/scheme_facts.h"

namespace copse::study {

// Formats numbers for people, and aligns columns.
std::string fixed(double number, int digits);  // 0.50
std::string significant(double number);        // 1.2e-05: two digits
std::string percent(double share);             // 100 %, 99.98 %, never 100 % for less
std::string bytes_text(double bytes);          // 12, 9,876, 12.3 k, 4.56 M; k is 1000

// Puts two spaces between columns. The first column is flush left, and the last if `last_left`; the others are flush
// right. Lines have no spaces at their ends.
class TextTable {
 public:
  using Row = std::vector<std::string>;
  explicit TextTable(Row header, bool last_left = false)
      : last_left_(last_left), rows_{std::move(header)} {}

  void add(Row row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  const bool last_left_;
  std::vector<Row> rows_;
};

// Returns a line for a scheme that has facts, and one for each of its epochs.
std::string facts_text(std::string_view name, const SchemeFacts& facts);

// Returns the lines of facts_text(), the first with the entries on stacks.
std::string figures_text(const EncoderFigures& figures);

// Returns a line for a scheme whose tokens do not decode: its collisions beside those that chance lets as many contexts
// have.
std::string chance_text(std::string_view name, std::uint64_t collisions, std::uint64_t contexts,
                        std::uint64_t token_bytes);

}  // namespace copse::study
