// Tables in memory, which have the columns and indexes that a query names, give the rows of a database file, which has
// all: random reports and questions, by seed.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "report/model/model_builder.h"
#include "sql/database_file.h"
#include "support/query_results.h"
#include "support/report_samples.h"

namespace copse::sql {
namespace {

namespace fs = std::filesystem;
using testing::AskedReports;

class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::string of(const std::vector<std::string>& words) { return words[below(words.size())]; }

 private:
  std::mt19937_64 random_;
};

report::ReportModel random_report(std::uint64_t seed) {
  Random random(seed);
  testing::DemoProgram program =
      testing::random_program(seed, static_cast<std::uint32_t>(random.below(300)));
  if (random.below(2) == 0) {
    std::vector<std::uint64_t> values;
    for (std::uint32_t node = 0; node < program.tree.node_count(); ++node) {
      values.push_back(random.below(100));
    }
    program.tables.measures = {{"bytes", "bytes", random.below(3), values}};
  }
  return std::move(build_model(program.tree, std::move(program.tables))).value();
}

// Numbers that hit ends and middles, and what is no number.
std::string random_value(Random& random, std::size_t rows) {
  switch (random.below(8)) {
    case 0:
      return random.of({"NULL", "'abc'", "''", "x'31'", "-1", "0", "1e300", "-1e300", "0.5", "1.5",
                        "9223372036854775807", "-9223372036854775808", "'2'", "'2.0'", "2.0"});
    case 1:
      return std::to_string(rows - std::min<std::size_t>(rows, random.below(3)));
    default:
      return std::to_string(random.below(rows + 2));
  }
}

std::string random_condition(Random& random, std::size_t rows, bool of_methods) {
  const std::string column = of_methods
                                 ? random.of({"id", "rowid", "name", "name", "report", "calls"})
                                 : random.of({"id", "id", "rowid", "parent", "parent", "method",
                                              "method", "site", "report", "depth", "calls"});
  if (column == "name" && random.below(4) != 0) {
    const std::string name = "'p" + std::to_string(random.below(3)) + ".C" +
                             std::to_string(1 + random.below(20)) + ".m" +
                             std::to_string(random.below(5)) + "'";
    if (random.below(4) == 0) return "name IN ('x', " + name + ")";
    return "name " + random.of({"= ", "= ", "> ", "COLLATE NOCASE = "}) + name;
  }
  if (!of_methods && random.below(12) == 0) {
    return "context_id " + random.of({"= ", "> ", "IS NOT ", ">= "}) +
           "(SELECT context_id FROM contexts WHERE id = " + random_value(random, rows) + ")";
  }
  switch (random.below(7)) {
    case 0:
      return column + " IS NULL";
    case 1:
      return column + " IS NOT NULL";
    case 2:
      return column + " IN (" + random_value(random, rows) + ", " + random_value(random, rows) +
             ", " + random_value(random, rows) + ")";
    case 3:
      return column + " BETWEEN " + random_value(random, rows) + " AND " +
             random_value(random, rows);
    case 4:
      return column + " = " + random_value(random, rows);
    default:
      return column + random.of({" = ", " < ", " <= ", " > ", " >= ", " <> ", " IS ", " == +"}) +
             random_value(random, rows);
  }
}

std::string random_where(Random& random, std::size_t rows, bool of_methods) {
  std::string where;
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    where += where.empty() ? " WHERE " : random.of({" AND ", " AND ", " OR "});
    if (random.below(6) == 0) where += "NOT ";
    where += random_condition(random, rows, of_methods);
  }
  return where;
}

// With an order that leaves no choice, so that both must give the same.
std::string random_question(Random& random, std::size_t rows) {
  const std::string where = random_where(random, rows, false);
  switch (random.below(8)) {
    case 6:
      return "SELECT a.id, b.id FROM contexts a JOIN contexts b USING (" +
             random.of({"id", "parent", "Site", "context_id", "report, method"}) + ") WHERE a." +
             random_condition(random, rows, false) + " ORDER BY a.id, b.id";
    case 7:
      return "SELECT " + random.of({"count(*)", "max(calls)", "sum(id)", "sum(bci)"}) + " FROM " +
             random.of({"contexts", "named_contexts", "methods"}) + " NATURAL " +
             random.of({"", "LEFT "}) + "JOIN " +
             random.of({"(SELECT id, bci, line FROM sites)",
                        "(SELECT report, calls, 1 AS bci FROM runs)",
                        "(SELECT depth, 2 AS bci FROM contexts)"});
    case 0: {
      const std::string column = random.of({"method", "parent", "report", "depth", "site"});
      return "SELECT " + column + ", count(*), sum(calls), max(inclusive_calls) FROM contexts" +
             where + " GROUP BY " + column + " ORDER BY " + column + random.of({"", " DESC"});
    }
    case 1:
      return "SELECT * FROM methods" + random_where(random, rows, true) + " ORDER BY id" +
             random.of({"", " DESC"});
    case 2:
      return "SELECT c.id, p.id, p.calls FROM contexts c JOIN contexts p ON " +
             random.of({"p.id = c.parent", "p.parent = c.id", "p.method = c.method",
                        "p.id BETWEEN c.id AND c.last_id", "p.site = c.site",
                        "p.context_id = c.context_id"}) +
             " WHERE c." + random_condition(random, rows, false) + " ORDER BY c.id, p.id";
    case 3:
      return "WITH RECURSIVE r(id, n) AS (SELECT id, 1 FROM contexts" + where +
             " UNION SELECT c.id, n + 1 FROM r JOIN contexts c ON c.parent = r.id WHERE n < 9) "
             "SELECT n, count(*), sum(id) FROM r GROUP BY n";
    case 4:
      return "SELECT name, line, calls FROM named_contexts" + where + " ORDER BY id LIMIT 50";
    default:
      if (random.below(2) == 0) {
        return "WITH x AS (SELECT " + random.of({"*", "c.*", "id, calls, depth, method, site"}) +
               " FROM contexts c" + where + ") SELECT " +
               random.of({"*", "id, method", "sum(calls), max(depth), count(site)"}) +
               " FROM x ORDER BY id";
      }
      return "SELECT * FROM contexts" + where + " ORDER BY id" + random.of({"", " DESC"}) +
             random.of({"", " LIMIT 5", " LIMIT 3 OFFSET 2"});
  }
}

// The same text as AskedReports gives, from a file.
class Oracle {
 public:
  explicit Oracle(const std::string& path) {
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database_, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
  ~Oracle() { sqlite3_close(database_); }

  std::string ask(const std::string& sql) const {
    std::string text;
    const auto add_row = [](void* to, int count, char** values, char**) {
      for (int i = 0; i < count; ++i) {
        if (i != 0) *static_cast<std::string*>(to) += ',';
        if (values[i] != nullptr) *static_cast<std::string*>(to) += values[i];
      }
      *static_cast<std::string*>(to) += '\n';
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database_, sql.c_str(), add_row, &text, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database_);
    return text;
  }

 private:
  sqlite3* database_ = nullptr;
};

TEST(QueryProperty, TablesInMemoryGiveTheRowsOfAFile) {
  std::string pattern = (fs::temp_directory_path() / "copse-query-XXXXXX").string();
  const fs::path folder = ::mkdtemp(pattern.data());
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Random random(seed);
    std::vector<report::ReportModel> models;
    for (std::uint64_t i = 1 + random.below(3); i > 0; --i) {
      models.push_back(random_report(seed * 10 + i));
    }
    AskedReports asked(std::move(models));
    const std::string path = (folder / "report.sqlite").string();
    const Status written = write_database_file(asked.reports(), path);
    ASSERT_TRUE(written.ok()) << written.message();
    const Oracle oracle(path);
    for (int i = 0; i < 120; ++i) {
      const std::string sql = random_question(random, asked.reports().contexts().count());
      ASSERT_EQ(asked.ask(sql), oracle.ask(sql)) << "seed " << seed << ": " << sql;
    }
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace copse::sql
