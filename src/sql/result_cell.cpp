#include "sql/result_cell.h"

#include <sqlite3.h>

#include <new>

namespace copse::sql {

void ResultCell::null() { sqlite3_result_null(context_); }
void ResultCell::integer(std::int64_t value) { sqlite3_result_int64(context_, value); }
void ResultCell::real(double value) { sqlite3_result_double(context_, value); }
void ResultCell::text(std::string_view value) {
  sqlite3_result_text64(context_, value.data() == nullptr ? "" : value.data(), value.size(),
                        SQLITE_TRANSIENT, SQLITE_UTF8);
}

int code_of_exception() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (...) {
    return SQLITE_ERROR;
  }
}

}  // namespace copse::sql
