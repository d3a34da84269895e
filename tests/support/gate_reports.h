// Two reports, and the verdicts of rules on them, for tests of the gate.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "compare/diff/comparison.h"
#include "compare/gate/evaluation.h"
#include "compare/gate/rule_parser.h"
#include "report/model/report_model.h"
#include "support/small_report.h"

namespace copse::testing {

inline diff::Comparison compared(report::ReportModel before, report::ReportModel now) {
  Result<diff::Comparison> made =
      diff::compare(std::move(before), "old.json", std::move(now), "new.json", {});
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.message());
  return std::move(made).value();
}

inline gate::Rule rule_of(std::string_view text) {
  auto parsed = gate::parse_rule(text);
  if (const auto* error = std::get_if<gate::RuleError>(&parsed)) {
    ADD_FAILURE() << text << ": " << gate::in_words(*error, text);
    return {};
  }
  return std::get<gate::Rule>(std::move(parsed));
}

// A shop: Main.main calls Handler.get, which calls Dao.find, which calls Db.query `queries` times; Handler.get calls
// Log.log `log` times; Main.main calls Batch.run, which calls Db.query twice.
struct Shop {
  std::uint64_t queries = 1;
  std::uint64_t log = 0;
  bool has_batch = true;

  report::ReportModel report() const {
    SmallReport made;
    const auto main = made.method("com.acme.Main", "main"),
               get = made.method("com.acme.Handler", "get"),
               find = made.method("com.acme.Dao", "find"),
               query = made.method("com.acme.Db", "query");
    const auto top = made.node(0, main);
    const auto handler = made.node(top, get, 10, 1);
    const auto dao = made.node(handler, find, 20, 2);
    made.node(dao, query, 30, 3, queries);
    if (log != 0) made.node(handler, made.method("com.acme.Log", "log"), 21, 5, log);
    if (has_batch) {
      const auto batch = made.node(top, made.method("com.acme.Batch", "run"), 11, 4);
      made.node(batch, query, 40, 1, 2);
    }
    made.model.totals.max_depth = 4;
    return made.model;
  }
};

}  // namespace copse::testing
