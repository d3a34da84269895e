// Which classes and methods get probes, by the user's globs over dotted names.
//
//   *    any characters within one segment ('$' included, so Foo* takes Foo$Bar too)
//   **   any characters, dots too
//
// A glob is compared with `pkg.Class` and with `pkg.Class.method`. A method is recorded when no
// include is given or one matches its class or itself, and no exclude matches either.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Linear in practice, worst case |glob| * |text|.
bool glob_matches(std::string_view glob, std::string_view text) noexcept;

class MethodFilter {
 public:
  MethodFilter() = default;
  MethodFilter(std::vector<std::string> include, std::vector<std::string> exclude);

  enum class ClassVerdict { kNone, kSome, kAll };
  // kSome: ask includes_method for each method. `class_name` is dotted.
  ClassVerdict classify(std::string_view class_name) const;
  bool includes_method(std::string_view class_name, std::string_view method) const;

 private:
  bool any(const std::vector<std::string>& globs, std::string_view name) const;

  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
};

}  // namespace copse
