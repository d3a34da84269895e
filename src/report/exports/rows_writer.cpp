#include "report/exports/tool_formats.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "report/exports/names.h"
#include "report/model/display_names.h"

namespace copse::report {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

void put_field(std::string_view text, Output& out) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return out.put(text);
  out.put('"');
  for (const char c : text) {
    if (c == '"') out.put('"');
    out.put(c);
  }
  out.put('"');
}

class RowsWriter {
 public:
  RowsWriter(const ReportModel& model, const RowsOptions& options, Output& out)
      : model_(model), options_(options), out_(out) {}

  void write() {
    put_heading();
    if (std::any_of(model_.measures.begin(), model_.measures.end(),
                    [](const ReportModel::Measure& measure) { return measure.values[0] != 0; })) {
      put_row(0, 0);
    }
    const ReportModel::Nodes& nodes = model_.nodes;
    std::uint64_t depth = 0;
    for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
      for (auto open = static_cast<std::int32_t>(row - 1); open != nodes.parent[row]; --depth) {
        open = nodes.parent[static_cast<std::size_t>(open)];
      }
      put_row(row, ++depth);
    }
  }

 private:
  void put_heading() {
    out_.put("row,parent,depth,class,method,descriptor,source,line,bci,calls");
    for (const ReportModel::Measure& measure : model_.measures) {
      out_.put(',');
      put_field(measure.name, out_);
    }
    if (options_.paths) out_.put(",path");
    out_.put(kLineEnd);
  }

  void put_row(std::size_t row, std::uint64_t depth) {
    out_.put_number(std::uint64_t{row});
    out_.put(',');
    if (row != 0) out_.put_number(std::int64_t{model_.nodes.parent[row]});
    out_.put(',');
    out_.put_number(depth);
    put_method(row);
    put_site(row);
    out_.put(',');
    out_.put_number(model_.nodes.calls[row]);
    for (const ReportModel::Measure& measure : model_.measures) {
      out_.put(',');
      out_.put_number(measure.values[row]);
    }
    if (options_.paths) put_path(row, depth);
    out_.put(kLineEnd);
  }

  void put_method(std::size_t row) {
    if (row == 0) return out_.put(",,ROOT,,");
    const ReportModel::Methods& methods = model_.methods;
    const auto method = static_cast<std::size_t>(model_.nodes.method[row]);
    for (const auto* column :
         {&methods.class_name, &methods.name, &methods.descriptor, &methods.source}) {
      out_.put(',');
      put_field((*column)[method], out_);
    }
  }

  // Writes line and bytecode index of the call in the caller; unknown ones are empty.
  void put_site(std::size_t row) {
    const std::int32_t site = model_.nodes.site[row];
    for (const auto* column : {&model_.sites.line, &model_.sites.bci}) {
      out_.put(',');
      const std::int32_t number = site < 0 ? -1 : (*column)[static_cast<std::size_t>(site)];
      if (number >= 0) out_.put_number(std::int64_t{number});
    }
  }

  void put_path(std::size_t row, std::uint64_t depth) {
    if (depth == 0) return out_.put(',');
    length_.resize(depth);
    path_.resize(length_.back());
    if (depth > 1) {
      const std::int32_t site = model_.nodes.site[row];
      const std::int32_t line = site < 0 ? -1 : model_.sites.line[static_cast<std::size_t>(site)];
      if (line >= 0) path_ += ':' + std::to_string(line);
      path_ += ';';
    }
    path_ += names_.plain(model_.nodes.method[row]);
    length_.push_back(path_.size());
    out_.put(',');
    put_field(path_, out_);
  }

  const ReportModel& model_;
  const DisplayNames names_{model_.methods};
  const RowsOptions& options_;
  Output& out_;
  std::string path_;                       // down to the current row
  std::vector<std::size_t> length_ = {0};  // of the path, by depth
};

}  // namespace

void write_rows(const ReportModel& model, const RowsOptions& options, Output& out) {
  RowsWriter(model, options, out).write();
}

}  // namespace copse::report
