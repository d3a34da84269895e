#include "base/glob_guess.h"

#include <algorithm>
#include <cctype>

#include "base/glob.h"
#include "base/nearest.h"
#include "base/printable.h"

namespace copse {
namespace {

// Most classes whose methods are checked, among those whose name a glob matches.
constexpr std::size_t kMostClassesAsked = 64;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string lower(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

// As class files, sources and stack traces spell names: pkg/Name.class, pkg.Name#method,
// method(int).
std::string dotted(std::string glob) {
  if (const std::size_t open = glob.find('('); open != std::string::npos) glob.resize(open);
  for (const std::string_view ending : {".class", ".java"}) {
    if (glob.ends_with(ending)) glob.resize(glob.size() - ending.size());
  }
  glob = replaced(replaced(replaced(std::move(glob), "::", "."), "#", "."), "/", ".");
  while (glob.starts_with('.')) glob.erase(0, 1);
  while (glob.ends_with('.')) glob.pop_back();
  return glob;
}

std::string without_last_part(std::string_view glob) {
  const std::size_t dot = glob.rfind('.');
  return dot == std::string_view::npos ? "" : std::string(glob.substr(0, dot));
}

std::string last_part(const std::string& glob) { return glob.substr(glob.rfind('.') + 1); }

class Guess {
 public:
  Guess(std::string_view glob, const KnownNames& names)
      : glob_(glob), plain_(dotted(glob_)), names_(names) {}

  GlobGuess made() const {
    for (const std::string& other : spellings()) {
      if (other != glob_ && !find_name(other, names_).name.empty()) return {"", other};
    }
    if (const std::string other = in_its_own_case(); !other.empty()) return {"", other};
    if (const GlobGuess guess = of_method(); !guess.reason.empty()) return guess;
    if (const std::string other = nearest_class(plain_); !other.empty()) return {"", other};
    // A mistyped class with a correct method.
    const std::string of_class = nearest_class(without_last_part(plain_));
    const std::string method = of_class + "." + last_part(plain_);
    return {"", of_class.empty() || find_name(method, names_).name.empty() ? "" : method};
  }

 private:
  std::vector<std::string> spellings() const {
    std::vector<std::string> all = {plain_, plain_.ends_with(".*") ? plain_ + "*" : plain_ + ".**"};
    // Outer.Inner is Outer$Inner to the JVM, and so in front of a method.
    if (const std::size_t dot = plain_.rfind('.'); dot != std::string::npos) {
      std::string nested = plain_;
      nested[dot] = '$';
      all.push_back(nested);
      if (const std::size_t other = plain_.rfind('.', dot - 1);
          dot > 0 && other != std::string::npos) {
        nested = plain_;
        nested[other] = '$';
        all.push_back(nested);
      }
    }
    if (!plain_.empty() && !plain_.starts_with("*")) all.push_back("**." + plain_);
    return all;
  }

  // The glob with the upper and lower case letters that a class has; "" when none is it.
  std::string in_its_own_case() const {
    const std::string fixed = before_star();
    if (fixed.empty()) return "";
    const std::string small = lower(fixed);
    for (const std::string_view name : names_.classes) {
      if (lower(name.substr(0, fixed.size())) != small) continue;
      const std::string other =
          std::string(name.substr(0, fixed.size())) + plain_.substr(fixed.size());
      for (const std::string& glob : {other, other + ".**"}) {
        if (glob != glob_ && glob_matches(glob, name)) return glob;
      }
    }
    return "";
  }

  // The class is there, a method of that name is not.
  GlobGuess of_method() const {
    const std::string of_class = without_last_part(plain_);
    const auto found = std::ranges::find_if(
        names_.classes, [&](std::string_view name) { return glob_names_class(of_class, name); });
    if (found == names_.classes.end() || of_class.find('*') != std::string::npos) return {};
    const std::string method = last_part(plain_);
    const std::string near =
        nearest(method, names_.methods(static_cast<std::size_t>(found - names_.classes.begin())));
    return {printable(of_class) + " has no method " + printable(method),
            near.empty() ? "" : of_class + "." + near};
  }

  // Returns the name of the class that `glob` was probably to mean; with its package if `glob` has one.
  std::string nearest_class(const std::string& glob) const {
    const std::string fixed = glob.substr(0, glob.find('*'));
    const bool is_whole = fixed.size() == glob.size();
    const bool has_package = fixed.find('.') != std::string::npos;
    std::string best;
    std::size_t best_distance = most_mistakes(fixed) + 1;
    for (std::string_view type : names_.classes) {
      if (!has_package) type = type.substr(type.rfind('.') + 1);
      // For a glob with a star, the part before the star is compared with as much of the name.
      const std::string_view name = is_whole ? type : type.substr(0, fixed.size());
      const std::size_t longer = std::max(name.size(), fixed.size());
      if (longer - std::min(name.size(), fixed.size()) >= best_distance) continue;
      const std::size_t distance = edit_distance(fixed, name);
      if (distance == 0 || distance >= best_distance) continue;
      // A class name that ends at the star leaves nothing for it.
      const bool is_class = name.size() == type.size();
      const std::string other =
          is_class ? std::string(type) : std::string(name) + glob.substr(fixed.size());
      if (!glob_names_class(other, type)) continue;
      best = other;
      best_distance = distance;
    }
    return best;
  }

  std::string before_star() const { return plain_.substr(0, plain_.find('*')); }

  const std::string glob_;
  const std::string plain_;
  const KnownNames& names_;
};

}  // namespace

FoundName find_name(std::string_view glob, const KnownNames& names) {
  for (std::size_t i = 0; i < names.classes.size(); ++i) {
    if (glob_names_class(glob, names.classes[i])) return {i, "", std::string(names.classes[i])};
  }
  // A method: the glob's part before the last dot stands for its class.
  const std::string of_class = without_last_part(glob);
  std::size_t asked = 0;
  for (std::size_t i = 0; i < names.classes.size() && asked < kMostClassesAsked; ++i) {
    if (of_class.empty() || !glob_names_class(of_class, names.classes[i])) continue;
    ++asked;
    for (const std::string& method : names.methods(i)) {
      if (glob_names_method(glob, names.classes[i], method)) {
        return {i, method, std::string(names.classes[i]) + "." + method};
      }
    }
  }
  return {};
}

GlobGuess guess_glob(std::string_view glob, const KnownNames& names) {
  return Guess(glob, names).made();
}

}  // namespace copse
