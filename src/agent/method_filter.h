// Which classes and methods get probes, by the user's globs over dotted names.
//
//   *    any characters within one segment ('$' included, so Foo* takes Foo$Bar too)
//   **   any characters, dots too
//
// A glob is compared with `pkg.Class` and with `pkg.Class.method`. A method is recorded when no
// include is given or one matches its class or itself, and no exclude matches either.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace copse::agent {

// Linear in practice, worst case |glob| * |text|.
bool glob_matches(std::string_view glob, std::string_view text) noexcept;

// Globs of one option, and which of them have matched anything so far. Threads: any.
class GlobList {
 public:
  explicit GlobList(std::vector<std::string> globs);

  bool empty() const noexcept { return globs_.empty(); }
  bool matches(std::string_view name) const noexcept;
  // Those that matched no name that was asked for.
  std::vector<std::string> unused() const;

 private:
  const std::vector<std::string> globs_;
  const std::unique_ptr<std::atomic<bool>[]> used_;
};

class MethodFilter {
 public:
  MethodFilter() : MethodFilter({}, {}) {}
  MethodFilter(std::vector<std::string> include, std::vector<std::string> exclude);

  enum class ClassVerdict { kNone, kSome, kAll };
  // kSome: ask includes_method for each method. `class_name` is dotted.
  ClassVerdict classify(std::string_view class_name) const;
  bool includes_method(std::string_view class_name, std::string_view method) const;

  const GlobList& include() const noexcept { return include_; }
  const GlobList& exclude() const noexcept { return exclude_; }

 private:
  const GlobList include_;
  const GlobList exclude_;
};

}  // namespace copse::agent
