// Writes JSON to an output: keys in the order given, one line for each key of the outermost object
// and for each key or item of its direct members.
//
// One thread at a time. Invariants: each begin() has its end(); the outermost pair comes first and
// last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/stable_id.h"
#include "report/model/output.h"

namespace copse::report {

class JsonText {
 public:
  // `in_script`: also escapes '<', which keeps names from ending a script element.
  explicit JsonText(Output& out, bool in_script = false) : out_(out), in_script_(in_script) {}

  // `key` is ignored for an item of a list.
  JsonText& begin(std::string_view key, char bracket);  // '{' or '['
  JsonText& end(char bracket);

  // Writes a boolean, number, text or stable id, a list of these, or null for std::nullopt.
  // Replaces invalid UTF-8 in texts.
  template <typename T>
  JsonText& field(std::string_view key, const T& v) {
    start_item(key);
    value(v);
    return *this;
  }

 private:
  void start_item(std::string_view key);
  void text(std::string_view text);

  template <typename T>
  void value(const T& v) {
    if constexpr (std::is_convertible_v<T, std::string_view>) {
      text(v);
    } else if constexpr (std::is_same_v<T, bool>) {
      out_.put(v ? "true" : "false");
    } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::uint64_t>) {
      out_.put_number(v);
    } else if constexpr (std::is_integral_v<T>) {
      out_.put_number(std::int64_t{v});
    } else if constexpr (std::is_same_v<T, StableId>) {
      text(hex(v));
    } else {
      value_of(v);
    }
  }
  template <typename T>
  void value_of(const std::optional<T>& v) {
    v ? value(*v) : out_.put("null");
  }
  template <typename Column>
  void value_of(const Column& column) {
    out_.put('[');
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (i != 0) out_.put(',');
      value(column[i]);
    }
    out_.put(']');
  }

  Output& out_;
  const bool in_script_;
  bool first_ = true;  // the open bracket has no key or item yet
  std::string open_;   // open brackets, outermost first
  std::string valid_, quoted_;
};

}  // namespace copse::report
