#include "encoders/study/figures_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/grouped.h"
#include "base/utf8.h"
#include "encoders/replay/pcc.h"

namespace copse::study {
namespace {

std::string spaced(std::string_view key) {
  std::string words(key);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string stack_words(const StackFigures& stack, std::uint64_t tokens) {
  std::string text = counted(tokens, "id") + ", stack mean " +
                     fixed(per_token(stack.entries, tokens), 2) + ", max " +
                     grouped(stack.most_entries);
  if (!stack.has_unexpected) return text;
  return text + ", unexpected mean " + fixed(per_token(stack.unexpected, tokens), 2) + ", max " +
         grouped(stack.most_unexpected);
}

std::string us_text(std::uint64_t ns) { return grouped((ns + 500) / 1000) + " us"; }

std::string lines_of(std::string_view name, std::string line, const SchemeFacts& facts) {
  for (const SchemeFact& fact : facts.values) {
    line += (line.empty() ? "" : ", ") + spaced(fact.name) + ' ' + grouped(fact.value);
  }
  if (!facts.epochs.empty()) {
    std::uint64_t ns = 0;
    for (const EpochFacts& epoch : facts.epochs) ns += epoch.ns;
    line += ", numbered in " + us_text(ns);
  }
  std::string text = line.empty() ? "" : std::string(name) + ": " + line + '\n';
  for (std::size_t i = 0; i < facts.epochs.size(); ++i) {
    const EpochFacts& epoch = facts.epochs[i];
    text += "  epoch " + std::to_string(i) + ", by " + epoch.trigger + ": " +
            counted(epoch.edges, "edge") + ", max id " + grouped(epoch.max_id) + ", took " +
            us_text(epoch.ns) + '\n';
  }
  return text;
}

}  // namespace

std::string facts_text(std::string_view name, const SchemeFacts& facts) {
  return lines_of(name, "", facts);
}

std::string figures_text(const EncoderFigures& figures) {
  return lines_of(figures.name, figures.stack ? stack_words(*figures.stack, figures.tokens) : "",
                  figures.facts);
}

std::string chance_text(std::string_view name, std::uint64_t collisions, std::uint64_t contexts,
                        std::uint64_t token_bytes) {
  const double expected = encoders::expected_collisions(static_cast<double>(contexts),
                                                        static_cast<int>(8 * token_bytes));
  return std::string(name) +
         ": a hash, whose contexts are told apart by chance: " + counted(collisions, "collision") +
         " among " + counted(contexts, "context") + " with a token, " + significant(expected) +
         " expected (birthday bound)\n";
}

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
