// Helpers for SQLite callbacks of tables and functions: return values, and keep exceptions out of SQLite.
#pragma once

#include <cstdint>
#include <string_view>

#include "sql/table.h"

struct sqlite3_context;

namespace copse::sql {

// Cell of a virtual table, or result of a function.
class ResultCell final : public Cell {
 public:
  explicit ResultCell(sqlite3_context* context) : context_(context) {}
  void null() override;
  void integer(std::int64_t value) override;
  void real(double value) override;
  void text(std::string_view value) override;

 private:
  sqlite3_context* const context_;
};

// Returns SQLite's code for the current exception. REQUIRES: called in a catch block.
int code_of_exception() noexcept;

// Runs the body of a callback, which returns SQLite's code.
template <typename Body>
int guarded(Body body) noexcept {
  try {
    return body();
  } catch (...) {
    return code_of_exception();
  }
}

}  // namespace copse::sql
