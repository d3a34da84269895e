// Guesses the intended meaning of a glob that matched nothing (glob.h): a path, a package without
// its `.**`, another case, a class without its package, a part of a name, a mistyped name, a method that is not
// there.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Names that a glob could have matched.
struct KnownNames {
  std::vector<std::string_view> classes;  // dotted
  // Returns the methods of a class by its index; called for few classes.
  std::function<std::vector<std::string>(std::size_t)> methods;
  // Names with their classes, "shop.Db.find"; empty where asking for all methods takes too long.
  std::vector<std::string> all_methods = {};
};

struct FoundName {
  std::size_t class_index = 0;
  std::string method;  // "": the class itself
  std::string name;    // class, or class and method; "": nothing found
};
// Returns the first class that the glob matches, or the first method.
FoundName find_name(std::string_view glob, const KnownNames& names);

struct GlobGuess {
  std::string reason;  // "com.acme.Main has no method nix", printable; "": none
  std::string glob;    // the likely glob; "": no name is near

  // Returns "; REASON; did you mean GLOB?", as far as it has them. `spelled` returns the glob as it is typed.
  std::string hint(const std::function<std::string(std::string_view)>& spelled) const;
};
// Cost: some passes over the classes, and an edit distance for each name of about the glob's
// length.
GlobGuess guess_glob(std::string_view glob, const KnownNames& names);

}  // namespace copse
