// Globs over dotted names of classes and methods, as users write them.
//
//   *    any characters within one segment ('$' included, so Foo* takes Foo$Bar too)
//   **   any characters, dots too
//
// A glob names a class or a method as outputs print them: `pkg.Outer$Inner`, `pkg.Outer$Inner.method`,
// and both without the package (`Outer$Inner.method`) or without enclosing classes too
// (`Inner.method`).
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace copse {

// Linear in practice, worst case |glob| * |text|.
bool glob_matches(std::string_view glob, std::string_view text) noexcept;

// Returns true if the glob names the class. Cost: that of glob_matches() for each form of the name.
bool glob_names_class(std::string_view glob, std::string_view class_name) noexcept;
// Returns true if the glob names the method, or its class. `class_name` is "" for a row that is no
// method. Throws std::bad_alloc.
bool glob_names_method(std::string_view glob, std::string_view class_name, std::string_view method);

// Returns true if both have the same kinds of stars in the same order.
bool have_same_stars(std::string_view a, std::string_view b) noexcept;
// Returns `name` with `to` in the place of what `from` names: its stars take what those of `from` take, each as little as
// it can. std::nullopt if `from` does not name it. `name`: the class, or the class, a dot and a method. REQUIRES:
// have_same_stars().
std::optional<std::string> glob_renamed(std::string_view from, std::string_view to,
                                        std::string_view class_name, std::string_view name);

// Returns true if the glob begins with the name of a package, as "java.util.**" does: it is about classes there alone.
bool begins_with_package(std::string_view glob) noexcept;

// The globs of one option, each with a note whether it has matched. Thread-safe. Globs without a star, perhaps thousands,
// are looked up; every other one is tried.
class GlobList {
 public:
  explicit GlobList(std::vector<std::string> globs);
  GlobList(const GlobList&) = delete;
  GlobList& operator=(const GlobList&) = delete;

  bool empty() const noexcept { return globs_.empty(); }
  // Compares whole texts, such as names of threads.
  bool matches(std::string_view text) const noexcept;
  bool name_class(std::string_view class_name) const noexcept;
  // Returns true if a glob names the method, or its class. Throws std::bad_alloc.
  bool name_method(std::string_view class_name, std::string_view method) const;
  // Returns the globs that matched no name so far.
  std::vector<std::string> unused() const;

 private:
  bool note_equal(std::string_view text) const noexcept;
  bool note_equal_forms(std::string_view class_name, std::string_view name) const noexcept;
  template <typename Matches>
  bool note_matching(const Matches& matches) const;

  const std::vector<std::string> globs_;
  const std::unique_ptr<std::atomic<bool>[]> used_;
  std::unordered_multimap<std::string_view, std::size_t> texts_;  // globs without a star -> index
  std::vector<std::size_t> patterns_;                             // indexes of the others
};

}  // namespace copse
