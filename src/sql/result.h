// Result of a query: rows of values, and the formats to write them in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/output.h"

namespace copse::sql {

struct Value {
  enum class Kind { kNull, kInteger, kReal, kText, kBlob };
  Kind kind = Kind::kNull;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view
      bytes;  // of a text, which may be invalid UTF-8, or a blob; valid during row() only
};

// Receives the results of statements, one after the other.
class ResultWriter {
 public:
  virtual ~ResultWriter() = default;
  virtual void begin(const std::vector<std::string>& columns) = 0;
  // Returns false when no more rows are wanted.
  virtual bool row(const std::vector<Value>& values) = 0;
  virtual void end() = 0;
};

enum class ResultFormat {
  kTable,  // aligned, numbers on the right
  kCsv,    // RFC 4180, with a header line; NULL is an empty field, an empty text is ""
  kJson,   // an array of objects, one per line
};

const std::vector<std::string>& result_format_names();
std::optional<ResultFormat> result_format_by_name(std::string_view name);
// Chooses by the ending of a file: .txt, .csv, .json. std::nullopt for other endings.
std::optional<ResultFormat> result_format_by_ending(std::string_view path);

// Texts are made printable (base/printable.h) in tables and CSV, escaped in JSON: names from a program under test
// cannot control a terminal. REQUIRES: `out` outlives the writer.
std::unique_ptr<ResultWriter> make_result_writer(ResultFormat format, report::Output& out);

}  // namespace copse::sql
