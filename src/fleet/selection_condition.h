// Condition on the runs of a selection: the language of copse import --where.
//
//   day >= 2026-11-01 AND (version IN ('2.0', '2.1') OR service LIKE 'shop%') AND NOT version = '2.0.3'
//
// Columns are service, version and day. Texts are in single quotes, a quote inside is doubled;
// quotes around a day are optional. Days have all comparisons and BETWEEN. Texts have only =, !=,
// <>, IN and LIKE, because 2.10 comes before 2.9 as a text. Keywords and columns are
// case-insensitive. The SQL for a server is generated from the parsed condition: user input reaches
// it only in quoted texts.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace copse::fleet {

class SelectionCondition {
 public:
  // The error is "column 12: why", columns from 1.
  static Result<SelectionCondition> parse(std::string_view text);

  const std::string& text() const noexcept { return text_; }  // as typed
  // Returns SQL for ClickHouse, in parentheses.
  std::string sql() const;
  // Returns SQL for tables without days: true for all rows for which sql() can be true.
  std::string sql_of_labels() const;

  struct Node;

 private:
  SelectionCondition(std::string text, std::shared_ptr<const Node> node)
      : text_(std::move(text)), node_(std::move(node)) {}

  std::string text_;
  std::shared_ptr<const Node> node_;
};

}  // namespace copse::fleet
