// What both tables and functions need of SQLite's interface: giving a value, and letting nothing be
// thrown through it.
#pragma once

#include <cstdint>
#include <string_view>

#include "sql/table.h"

struct sqlite3_context;

namespace copse::query {

// The cell of a virtual table, or the value of a function.
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

// SQLite's code of what is being thrown: to be called where it is caught.
int code_of_exception() noexcept;

// Runs the body of a callback, which gives SQLite's code.
template <typename Body>
int guarded(Body body) noexcept {
  try {
    return body();
  } catch (...) {
    return code_of_exception();
  }
}

}  // namespace copse::query
