#include "sql/database_file.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "report/model/model_builder.h"
#include "sql/database_reader.h"
#include "support/expect_fault.h"
#include "support/query_results.h"
#include "support/report_samples.h"

namespace copse::sql {
namespace {

namespace fs = std::filesystem;

class DatabaseFile : public ::testing::Test {
 protected:
  DatabaseFile() {
    std::string pattern = (fs::temp_directory_path() / "copse-database-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = (folder_ / "report.sqlite").string();
    testing::DemoProgram program = testing::demo_program();
    model_ = std::move(build_model(program.tree, std::move(program.tables))).value();
  }
  ~DatabaseFile() override { fs::remove_all(folder_); }

  Status write(const std::string& path) {
    const auto reports = Reports::make({{"a.json", &model_}});
    return write_database_file(*reports, path);
  }
  std::string ask(const std::string& sql) const {
    sqlite3* database = nullptr;
    std::string text;
    EXPECT_EQ(sqlite3_open_v2(path_.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    const auto add_row = [](void* to, int count, char** values, char**) {
      for (int i = 0; i < count; ++i) {
        *static_cast<std::string*>(to) += values[i] == nullptr ? "-" : values[i];
        *static_cast<std::string*>(to) += i + 1 == count ? '\n' : '|';
      }
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add_row, &text, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
    return text;
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
  std::string path_;
  report::ReportModel model_;
};

TEST_F(DatabaseFile, HasTheTablesOfAQuery) {
  ASSERT_TRUE(write(path_).ok());
  EXPECT_EQ(ask("SELECT id, parent, calls, inclusive_calls, last_id FROM contexts WHERE id > 6"),
            "7|2|1000|3000|8\n8|7|2000|2000|8\n");
  EXPECT_EQ(ask("SELECT name, line, calls FROM named_contexts WHERE id = 8"),
            "demo.Log.log|21|2000\n");
  EXPECT_EQ(ask("SELECT file, calls FROM runs"), "a.json|3018\n");
  EXPECT_EQ(ask("PRAGMA user_version"), std::to_string(kDatabaseVersion) + "\n");
  EXPECT_EQ(ask("PRAGMA integrity_check"), "ok\n");
}

TEST_F(DatabaseFile, FindsChildrenAndMethodsByIndexes) {
  ASSERT_TRUE(write(path_).ok());
  EXPECT_EQ(ask("SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name"),
            "contexts_context_id\ncontexts_method\ncontexts_parent\ncontexts_site\nmethods_name\n");
  const std::string plan = ask("EXPLAIN QUERY PLAN SELECT * FROM contexts WHERE parent = 2");
  EXPECT_NE(plan.find("contexts_parent"), std::string::npos) << plan;
}

TEST_F(DatabaseFile, ReplacesAnOldFileInOneStepAndIsItsOwnersAlone) {
  std::ofstream(path_) << "old";
  ASSERT_TRUE(write(path_).ok());
  EXPECT_EQ(ask("SELECT count(*) FROM contexts"), "8\n");
  struct stat about {};
  ASSERT_EQ(::stat(path_.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
  EXPECT_EQ(files(), 1);
}

TEST_F(DatabaseFile, LeavesTheOldFileWhereItCannotBeWritten) {
  const std::string nowhere = (folder_ / "no" / "report.sqlite").string();
  EXPECT_FAULT(write(nowhere), kSystem, nowhere + ": No such file");
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_FAULT(write(path_), kSystem, path_ + ": ");
  EXPECT_EQ(files(), 1);
}

TEST_F(DatabaseFile, GivesItsTreesBack) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  testing::DemoProgram program = testing::random_program(seed, 500);
  const report::ReportModel other =
      std::move(build_model(program.tree, std::move(program.tables))).value();
  const auto reports = Reports::make({{"a.json", &model_}, {"b.json", &other}});
  ASSERT_TRUE(write_database_file(*reports, path_).ok());
  const auto read = read_database_file(path_);
  ASSERT_TRUE(read.ok()) << read.message();
  ASSERT_EQ(read->size(), 2u);
  const report::ReportModel* written = &model_;
  for (const ReadReport& each : *read) {
    EXPECT_EQ(each.name, written == &model_ ? "a.json" : "b.json");
    EXPECT_EQ(each.report.methods.class_name, written->methods.class_name);
    EXPECT_EQ(each.report.methods.name, written->methods.name);
    EXPECT_EQ(each.report.methods.descriptor, written->methods.descriptor);
    EXPECT_EQ(each.report.nodes.parent, written->nodes.parent);
    EXPECT_EQ(each.report.nodes.method, written->nodes.method);
    EXPECT_EQ(each.report.nodes.calls, written->nodes.calls);
    EXPECT_EQ(each.report.nodes.site, written->nodes.site);
    EXPECT_EQ(each.report.sites.method, written->sites.method);
    EXPECT_EQ(each.report.sites.line, written->sites.line);
    EXPECT_EQ(each.report.sites.bci, written->sites.bci);
    EXPECT_EQ(each.report.totals.calls, written->totals.calls);
    EXPECT_EQ(each.report.options, written->options);
    written = &other;
  }
}

TEST_F(DatabaseFile, AnswersAsTheReportsDo) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  testing::DemoProgram program = testing::random_program(seed, 500);
  // By other rules than those of a single run, which the file does not tell.
  model_.merged = {2, {"a", "b"}, "copse.context/1 sites=line names=normalised"};
  testing::AskedReports asked(
      {model_, std::move(build_model(program.tree, std::move(program.tables))).value()});
  ASSERT_TRUE(write_database_file(asked.reports(), path_).ok());
  const auto session = Session::open_file(path_, {});
  ASSERT_TRUE(session.ok()) << session.message();
  for (const char* sql :
       {"SELECT * FROM named_contexts ORDER BY id", "SELECT id, path(id) FROM contexts",
        "SELECT path(context_id), under(context_id, 'demo.Log') FROM contexts WHERE report = 1",
        "SELECT sum(calls_under(id, 'demo.*.log')) FROM contexts", "SELECT * FROM runs",
        "WITH x AS (SELECT * FROM methods) SELECT * FROM x ORDER BY id",
        "WITH x(r, t, v) AS (SELECT * FROM options) SELECT * FROM x",
        "WITH x AS (SELECT n.* FROM named_contexts n) SELECT sum(depth), max(name) FROM x",
        "SELECT calls*2, count(*) FROM methods GROUP BY name ORDER BY name",
        "SELECT under(1, 'Mian')", "SELECT nme FROM methods", "SELECT 1 FROM method",
        "DELETE FROM contexts", "PRAGMA user_version", "CREATE TEMP TABLE t(x)"}) {
    EXPECT_EQ(testing::answer_of(**session, sql), asked.ask(sql)) << sql;
  }
  EXPECT_EQ((*session)->tables().size(), asked.session().tables().size());
  EXPECT_EQ(ask("SELECT count(*) FROM runs"), "2\n");
}

TEST_F(DatabaseFile, IsRefusedWhereReadingItWouldLeaveFilesBesideIt) {
  ASSERT_TRUE(write(path_).ok());
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  EXPECT_FAULT(Session::open_file(path_, {}), kRefused, path_);
  EXPECT_FALSE(fs::exists(path_ + "-shm"));
}

TEST_F(DatabaseFile, IsRefusedWhereItIsNoneOrItsRowsMakeNoTrees) {
  EXPECT_FAULT(read_database_file(path_), kMalformed, path_);
  std::ofstream(path_) << "SQLite format 3";
  EXPECT_FAULT(read_database_file(path_), kMalformed, path_);
  for (const char* sql :
       {"UPDATE contexts SET parent = 1000 WHERE id = 2", "UPDATE contexts SET method = 1000",
        "UPDATE contexts SET report = 2", "UPDATE methods SET report = 0",
        "UPDATE contexts SET site = 1000", "UPDATE contexts SET context_id = 'x'",
        "UPDATE sites SET method = 1000", "PRAGMA user_version = 77", "DROP TABLE contexts"}) {
    fs::remove(path_);
    ASSERT_TRUE(write(path_).ok());
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
    SCOPED_TRACE(sql);
    EXPECT_FAULT(read_database_file(path_), kMalformed, path_);
    const auto session = Session::open_file(path_, {});
    if (!session.ok()) {
      EXPECT_FAULT(session, kMalformed, path_);
    } else {
      EXPECT_EQ(testing::answer_of(**session, "SELECT path(1)").substr(0, 7), "copse: ");
    }
  }
}

}  // namespace
}  // namespace copse::sql
