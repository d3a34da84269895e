// Globs over dotted names of classes and methods, as users write them.
//
//   *    any characters within one segment ('$' included, so Foo* takes Foo$Bar too)
//   **   any characters, dots too
//
// Whoever takes one compares it with `pkg.Class` and with `pkg.Class.method`.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

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

}  // namespace copse
