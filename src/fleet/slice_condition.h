// Which runs of a fleet a slice has: the language of copse import --where.
//
//   day >= 2026-11-01 AND (version IN ('2.0', '2.1') OR service LIKE 'shop%') AND NOT version = '2.0.3'
//
// Columns are service, version and day. Texts stand in single quotes, a quote in them twice; a day may
// stand without. Days have all comparisons and BETWEEN; texts =, !=, <>, IN and LIKE, for 2.10 comes before
// 2.9 as a text. Words of the language and columns may be in any case. What a server gets is written
// anew from what was understood, so nothing that was typed reaches it but as a text in quotes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace copse::fleet {

class SliceCondition {
 public:
  // "column 12: why", columns from 1.
  static Result<SliceCondition> parse(std::string_view text);

  const std::string& text() const noexcept { return text_; }  // as it was typed
  // As ClickHouse reads it, in parentheses.
  std::string sql() const;
  // Of tables without days: true of all that sql() may be true of.
  std::string sql_of_labels() const;

  struct Node;

 private:
  SliceCondition(std::string text, std::shared_ptr<const Node> node)
      : text_(std::move(text)), node_(std::move(node)) {}

  std::string text_;
  std::shared_ptr<const Node> node_;
};

}  // namespace copse::fleet
