#include "sql/result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/json_string.h"
#include "base/printable.h"
#include "base/shortest_digits.h"
#include "base/utf8.h"
#include "report/model/display_names.h"

namespace copse::sql {
namespace {

constexpr std::array kFormats = {std::pair{ResultFormat::kTable, "table"},
                                 std::pair{ResultFormat::kCsv, "csv"},
                                 std::pair{ResultFormat::kJson, "json"}};

bool is_number(const Value& value) {
  return value.kind == Value::Kind::kInteger || value.kind == Value::Kind::kReal;
}

// The shortest that reads back equal; 1.0 stays a number with a point.
std::string real_as_text(double value) {
  if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
  std::string text = shortest_digits(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

// Returns the text of a value, without quotes.
std::string as_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNull:
      return "NULL";
    case Value::Kind::kInteger:
      return std::to_string(value.integer);
    case Value::Kind::kReal:
      return real_as_text(value.real);
    case Value::Kind::kText:
      return printable(value.bytes);
    case Value::Kind::kBlob:
      return "x'" + hexadecimal(value.bytes) + "'";
  }
  return {};
}

// Columns are as wide as their first rows need; a cell that is wider moves the rest of its line.
class TableWriter final : public ResultWriter {
 public:
  explicit TableWriter(report::Output& out) : out_(out) {}

  void begin(const std::vector<std::string>& columns) override {
    if (!is_first_) out_.put('\n');
    is_first_ = false;
    columns_.clear();
    for (const std::string& name : columns) {
      const std::string shown = printable(name);
      columns_.push_back({shown, characters(shown)});
    }
    kept_.clear();
    is_measured_ = false;
  }
  bool row(const std::vector<Value>& values) override {
    std::vector<Cell> cells;
    for (const Value& value : values) cells.push_back({as_text(value), is_number(value)});
    if (is_measured_) {
      line(cells);
    } else {
      kept_.push_back(std::move(cells));
      if (kept_.size() == kMeasuredRows) write_kept();
    }
    return !out_.failed();
  }
  void end() override {
    if (!is_measured_) write_kept();
  }

 private:
  static constexpr std::size_t kMeasuredRows = 1000;
  static constexpr std::string_view kBetween = "  ";
  struct Column {
    std::string name;
    std::size_t width;
    bool is_right = false;  // as its numbers
  };
  struct Cell {
    std::string text;
    bool is_number;
  };

  void write_kept() {
    for (const std::vector<Cell>& cells : kept_) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        columns_[i].width = std::max(columns_[i].width, characters(cells[i].text));
        if (cells[i].is_number) columns_[i].is_right = true;
      }
    }
    std::vector<Cell> names;
    for (const Column& column : columns_) names.push_back({column.name, false});
    line(names);
    for (const std::vector<Cell>& cells : kept_) line(cells);
    kept_.clear();
    is_measured_ = true;
  }

  void line(const std::vector<Cell>& cells) {
    std::string text;
    std::size_t owed = 0;  // blanks, which no line ends with
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t length = characters(cells[i].text);
      const std::size_t room = columns_[i].width - std::min(columns_[i].width, length);
      if (columns_[i].is_right) owed += room;
      if (length != 0) {
        text.append(std::exchange(owed, 0), ' ').append(cells[i].text);
      }
      owed += kBetween.size() + (columns_[i].is_right ? 0 : room);
    }
    out_.put(text);
    out_.put('\n');
  }

  report::Output& out_;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> kept_;  // until their widths are known
  bool is_measured_ = false;
  bool is_first_ = true;
};

class CsvWriter final : public ResultWriter {
 public:
  explicit CsvWriter(report::Output& out) : out_(out) {}

  void begin(const std::vector<std::string>& columns) override {
    if (!is_first_) out_.put('\n');
    is_first_ = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i != 0) out_.put(',');
      put_text(printable(columns[i]));
    }
    out_.put('\n');
  }
  bool row(const std::vector<Value>& values) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i != 0) out_.put(',');
      if (values[i].kind == Value::Kind::kNull) continue;
      put_text(as_text(values[i]));
    }
    out_.put('\n');
    return !out_.failed();
  }
  void end() override {}

 private:
  void put_text(const std::string& text) {
    if (!text.empty() && text.find_first_of(",\"") == std::string::npos) return out_.put(text);
    out_.put('"');
    for (const char c : text) {
      if (c == '"') out_.put(c);
      out_.put(c);
    }
    out_.put('"');
  }

  report::Output& out_;
  bool is_first_ = true;
};

class JsonWriter final : public ResultWriter {
 public:
  explicit JsonWriter(report::Output& out) : out_(out) {}

  // A name that stands there before gets "_2" behind it, for an object has each once.
  void begin(const std::vector<std::string>& columns) override {
    std::set<std::string> taken;
    names_.clear();
    for (const std::string& column : columns) {
      std::string name = valid_utf8(column);
      for (int number = 2; !taken.insert(name).second; ++number) {
        name = valid_utf8(column) + '_' + std::to_string(number);
      }
      names_.emplace_back();
      append_json_string(names_.back(), name);
    }
    out_.put('[');
    rows_ = 0;
  }
  bool row(const std::vector<Value>& values) override {
    out_.put(rows_++ == 0 ? "\n{" : ",\n{");
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i != 0) out_.put(", ");
      out_.put(names_[i]);
      out_.put(": ");
      out_.put(in_json(values[i]));
    }
    out_.put('}');
    return !out_.failed();
  }
  void end() override { out_.put(rows_ == 0 ? "]\n" : "\n]\n"); }

 private:
  static std::string in_json(const Value& value) {
    std::string text;
    switch (value.kind) {
      case Value::Kind::kNull:
        return "null";
      case Value::Kind::kInteger:
        return std::to_string(value.integer);
      case Value::Kind::kReal:  // which JSON has no infinite ones of
        return std::isfinite(value.real) ? real_as_text(value.real) : "null";
      case Value::Kind::kText:
        append_json_string(text, valid_utf8(value.bytes));
        return text;
      case Value::Kind::kBlob:
        append_json_string(text, hexadecimal(value.bytes));
        return text;
    }
    return text;
  }

  report::Output& out_;
  std::vector<std::string> names_;  // in quotes
  std::size_t rows_ = 0;
};

}  // namespace

const std::vector<std::string>& result_format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [format, name] : kFormats) all.emplace_back(name);
    return all;
  }();
  return names;
}

std::optional<ResultFormat> result_format_by_name(std::string_view name) {
  for (const auto& [format, known] : kFormats) {
    if (name == known) return format;
  }
  return std::nullopt;
}

std::optional<ResultFormat> result_format_by_ending(std::string_view path) {
  if (path.ends_with(".txt")) return ResultFormat::kTable;
  if (path.ends_with(".csv")) return ResultFormat::kCsv;
  if (path.ends_with(".json")) return ResultFormat::kJson;
  return std::nullopt;
}

std::unique_ptr<ResultWriter> make_result_writer(ResultFormat format, report::Output& out) {
  switch (format) {
    case ResultFormat::kTable:
      return std::make_unique<TableWriter>(out);
    case ResultFormat::kCsv:
      return std::make_unique<CsvWriter>(out);
    case ResultFormat::kJson:
      return std::make_unique<JsonWriter>(out);
  }
  return nullptr;
}

}  // namespace copse::sql
