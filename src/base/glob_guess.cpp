#include "base/glob_guess.h"

#include <algorithm>

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
    if (plain_.find('*') != std::string::npos) return {"", of_stars(plain_)};
    if (const GlobGuess guess = of_method(); !guess.reason.empty()) return guess;
    if (const std::string other = nearest(plain_, all_names()); !other.empty()) {
      return {"", shortened(other)};
    }
    if (const std::string other = of_stars(plain_ + ".**"); !other.empty()) return {"", other};
    // A mistyped class with a correct method.
    const std::string of_class = nearest(without_last_part(plain_), classes());
    const std::string method = of_class + "." + last_part(plain_);
    return {"",
            of_class.empty() || find_name(method, names_).name.empty() ? "" : shortened(method)};
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

  std::vector<std::string> classes() const {
    return {names_.classes.begin(), names_.classes.end()};
  }
  std::vector<std::string> all_names() const {
    std::vector<std::string> all = classes();
    all.insert(all.end(), names_.all_methods.begin(), names_.all_methods.end());
    std::erase(all, glob_);
    return all;
  }

  // The name without its first components, as far as `plain_` has fewer and it is still found.
  std::string shortened(const std::string& name) const {
    auto more_dots = std::ranges::count(plain_, '.');
    for (std::size_t dot = name.size(); dot != 0 && dot != std::string::npos;) {
      dot = name.rfind('.', dot - 1);
      if (more_dots-- > 0) continue;
      const std::string shorter = name.substr(dot + 1);  // npos + 1 is 0
      if (find_name(shorter, names_).name == name) return shorter;
    }
    return name;
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

  // Returns the glob that `glob`, which has a star, was probably to mean: in the case that a class has, as a part of its
  // name, or, where the text between the stars is long enough to tell, without a mistake. "" if there is none.
  std::string of_stars(const std::string& glob) const {
    const std::size_t begin = std::min(glob.find_first_not_of("*."), glob.size());
    const std::string text = glob.substr(begin, glob.find('*', begin) - begin);
    const std::string before = glob.substr(0, begin), behind = glob.substr(begin + text.size());
    if (text.empty() || behind.empty()) return "";
    const std::string small = in_small_letters(text);
    constexpr std::size_t kLeastPart = 3;
    for (const bool is_part : {false, true}) {
      if (is_part && small.size() < kLeastPart) break;
      for (const std::string_view name : names_.classes) {
        const std::string small_name = in_small_letters(name);
        for (std::size_t at = 0; (at = small_name.find(small, at)) != std::string::npos; ++at) {
          const std::string own(name.substr(at, text.size()));
          const std::string other = (is_part ? "**" : before) + own + behind;
          if (other != glob_ && glob_names_class(other, name)) return other;
        }
      }
    }
    return begin == 0 ? without_mistake(text, behind) : "";
  }

  std::string without_mistake(const std::string& text, const std::string& behind) const {
    constexpr std::size_t kLettersForEach = 4;
    std::string best;
    std::size_t best_distance = 1 + std::min(most_mistakes(text), text.size() / kLettersForEach);
    const auto take = [&](std::string_view typed, std::string_view name, std::string other) {
      if (std::max(typed.size(), name.size()) - std::min(typed.size(), name.size()) >=
          best_distance) {
        return;
      }
      const std::size_t distance = edit_distance(typed, name);
      if (distance >= best_distance) return;
      best = std::move(other);
      best_distance = distance;
    };
    for (std::string_view name : names_.classes) {
      if (text.find('.') == std::string::npos) name = name.substr(name.rfind('.') + 1);
      // "acme.Doa.**", where there is a class acme.Dao.
      if (text.ends_with('.')) take(text.substr(0, text.size() - 1), name, std::string(name));
      // A name that ends at the star leaves nothing for it.
      const std::string_view begin = name.substr(0, text.size());
      std::string other = std::string(begin) + behind;
      if (name.size() <= text.size() || !glob_names_class(other, name)) continue;
      take(text, begin, std::move(other));
    }
    return best;
  }

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

std::string GlobGuess::hint(const std::function<std::string(std::string_view)>& spelled) const {
  return (reason.empty() ? "" : "; " + reason) +
         (glob.empty() ? "" : "; did you mean " + spelled(glob) + "?");
}

GlobGuess guess_glob(std::string_view glob, const KnownNames& names) {
  return Guess(glob, names).made();
}

}  // namespace copse
