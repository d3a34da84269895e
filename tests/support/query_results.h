// A query's results and failures as text, for tests.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "report/model/output.h"
#include "sql/session.h"

namespace copse::testing {

// Returns the rows as CSV without the names of the columns, or "copse: " and the error.
inline std::string answer_of(sql::Session& session, const std::string& sql,
                             sql::ResultFormat format = sql::ResultFormat::kCsv) {
  report::StringOutput out;
  const Status status = session.run(sql, *make_result_writer(format, out));
  if (!status.ok()) return "copse: " + status.message();
  if (!out.finish().ok()) return "copse: no output";
  if (format != sql::ResultFormat::kCsv) return out.text();
  return out.text().substr(out.text().find('\n') + 1);
}

// Reports and the connection that queries them. The connection must go first, so it is declared last.
class AskedReports {
 public:
  explicit AskedReports(std::vector<report::ReportModel> models, sql::Limits limits = {})
      : models_(std::move(models)) {
    std::vector<sql::Reports::File> files;
    for (const report::ReportModel& model : models_) {
      files.push_back({"report-" + std::to_string(files.size() + 1) + ".json", &model});
    }
    reports_ =
        std::make_unique<sql::Reports>(std::move(sql::Reports::make(std::move(files))).value());
    session_ = std::move(sql::Session::open(*reports_, limits)).value();
  }

  const sql::Reports& reports() const { return *reports_; }
  sql::Session& session() { return *session_; }

  // Runs a query for its failure alone.
  Status run(const std::string& sql) {
    report::StringOutput out;
    return session_->run(sql, *make_result_writer(sql::ResultFormat::kCsv, out));
  }
  std::string ask(const std::string& sql, sql::ResultFormat format = sql::ResultFormat::kCsv) {
    return answer_of(*session_, sql, format);
  }

 private:
  std::vector<report::ReportModel> models_;
  std::unique_ptr<sql::Reports> reports_;
  std::unique_ptr<sql::Session> session_;
};

}  // namespace copse::testing
