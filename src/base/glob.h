// Globs over dotted names of classes and methods, as users write them.
//
//   *    any characters within one segment ('$' included, so Foo* takes Foo$Bar too)
//   **   any characters, dots too
//
// Callers match a glob against both `pkg.Class` and `pkg.Class.method`. Cost: linear in practice,
// worst case |glob| * |text|.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Linear in practice, worst case |glob| * |text|.
bool glob_matches(std::string_view glob, std::string_view text) noexcept;

// The globs of one option, each with a note whether it has matched. Thread-safe.
class GlobList {
 public:
  explicit GlobList(std::vector<std::string> globs);

  bool empty() const noexcept { return globs_.empty(); }
  bool matches(std::string_view name) const noexcept;
  // Returns the globs that matched no name so far.
  std::vector<std::string> unused() const;

 private:
  const std::vector<std::string> globs_;
  const std::unique_ptr<std::atomic<bool>[]> used_;
};

}  // namespace copse
