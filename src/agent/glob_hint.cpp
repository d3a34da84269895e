#include "agent/glob_hint.h"

#include <algorithm>
#include <cctype>

#include "agent/method_filter.h"
#include "agent/option_rules.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/shell_word.h"

namespace copse::agent {
namespace {

// Of the classes whose name a glob matches, so many have their methods looked at.
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

std::string without_last_part(const std::string& glob) {
  const std::size_t dot = glob.rfind('.');
  return dot == std::string::npos ? "" : glob.substr(0, dot);
}

std::string last_part(const std::string& glob) { return glob.substr(glob.rfind('.') + 1); }

class Hint {
 public:
  Hint(const UnusedGlob& unused, const AgentOptions& options, Spelling spelling,
       const LoadedNames& loaded)
      : key_(unused.key),
        glob_(unused.glob),
        options_(options),
        spelling_(spelling),
        loaded_(loaded),
        recorded_(options.include, options.exclude) {}

  std::string sentence() {
    const char* const nothing = key_ == "mark"      ? "matched no method"
                                : key_ == "exclude" ? "left nothing out"
                                                    : "matched nothing";
    const std::string option = spelling_ == Spelling::kCommandLine
                                   ? spelled(key_, spelling_) + " " + shell_word(glob_)
                                   : spelled(key_, spelling_) + "=" + printable(glob_);
    return option + ": " + nothing + why();
  }

 private:
  // "; WHAT", or "" when nobody knows.
  std::string why() {
    if (std::string reason = why_not_recorded(); !reason.empty()) return "; " + reason;
    for (const std::string& other : spellings()) {
      if (other != glob_ && matches(other)) return did_you_mean(other);
    }
    if (const std::string other = in_its_own_case(); !other.empty()) return did_you_mean(other);
    if (std::string reason = about_method(); !reason.empty()) return "; " + reason;
    if (const std::string other = nearest_class(); !other.empty()) return did_you_mean(other);
    return "";
  }

  std::string did_you_mean(const std::string& other) const {
    const std::string option = spelling_ == Spelling::kCommandLine
                                   ? spelled(key_, spelling_) + " " + shell_word(other)
                                   : std::string(key_) + "=" + printable(other);
    return "; did you mean " + option + "?";
  }

  bool may_be_recorded(const LoadedClass& type) const { return options_.jdk || !type.is_jdk; }

  // What the glob means is there, but something else keeps it from being recorded.
  std::string why_not_recorded() {
    const Found found = find(glob_, [](const LoadedClass&) { return true; });
    if (found.name.empty()) return "";
    if (!may_be_recorded(*found.type)) {
      return printable(found.name) + " is the JDK's own, which is recorded with " +
             (spelling_ == Spelling::kCommandLine ? "--jdk" : "jdk");
    }
    if (key_ == "exclude") return "";
    const bool excluded =
        recorded_.classify(found.type->name) == MethodFilter::ClassVerdict::kNone ||
        (!found.method.empty() && !recorded_.includes_method(found.type->name, found.method));
    if (excluded) return printable(found.name) + " is left out by the other globs";
    if (found.method.empty()) return "";
    return printable(found.name) + " has no code of its own that could be recorded";
  }

  std::vector<std::string> spellings() const {
    const std::string plain = dotted(glob_);
    std::vector<std::string> all = {plain, plain.ends_with(".*") ? plain + "*" : plain + ".**"};
    // Outer.Inner is Outer$Inner to the JVM, and so in front of a method.
    if (const std::size_t dot = plain.rfind('.'); dot != std::string::npos) {
      std::string nested = plain;
      nested[dot] = '$';
      all.push_back(nested);
      if (const std::size_t other = plain.rfind('.', dot - 1);
          dot > 0 && other != std::string::npos) {
        nested = plain;
        nested[other] = '$';
        all.push_back(nested);
      }
    }
    if (!plain.empty() && !plain.starts_with("*")) all.push_back("**." + plain);
    return all;
  }

  struct Found {
    const LoadedClass* type = nullptr;
    std::string method;  // "": the class itself
    std::string name;    // of both; "": nothing
  };
  template <typename Wanted>
  Found find(const std::string& glob, const Wanted& wanted) {
    for (const LoadedClass& type : loaded_.classes) {
      if (wanted(type) && glob_matches(glob, type.name)) return {&type, "", type.name};
    }
    // A method: the glob's part before the last dot stands for its class.
    const std::string of_class = without_last_part(glob);
    std::size_t asked = 0;
    for (std::size_t i = 0; i < loaded_.classes.size() && asked < kMostClassesAsked; ++i) {
      const LoadedClass& type = loaded_.classes[i];
      if (of_class.empty() || !wanted(type) || !glob_matches(of_class, type.name)) continue;
      ++asked;
      for (const std::string& method : loaded_.methods(i)) {
        const std::string full = type.name + "." + method;
        if (glob_matches(glob, full)) return {&type, method, full};
      }
    }
    return {};
  }

  bool matches(const std::string& glob) {
    return !find(glob, [&](const LoadedClass& type) { return may_be_recorded(type); }).name.empty();
  }

  // The glob with the upper and lower case letters that a class has; "" when none is it.
  std::string in_its_own_case() const {
    const std::string plain = dotted(glob_);
    const std::string fixed = plain.substr(0, plain.find('*'));
    if (fixed.empty()) return "";
    const std::string small = lower(plain);
    for (const LoadedClass& type : loaded_.classes) {
      if (!may_be_recorded(type) || lower(type.name).substr(0, fixed.size()) != lower(fixed)) {
        continue;
      }
      const std::string other = type.name.substr(0, fixed.size()) + plain.substr(fixed.size());
      for (const std::string& glob : {other, other + ".**"}) {
        if (glob != glob_ && glob_matches(glob, type.name)) return glob;
      }
    }
    return "";
  }

  // The class is there, a method of that name is not.
  std::string about_method() {
    const std::string plain = dotted(glob_);
    const std::string of_class = without_last_part(plain);
    for (std::size_t i = 0; i < loaded_.classes.size(); ++i) {
      const LoadedClass& type = loaded_.classes[i];
      if (type.name != of_class || !may_be_recorded(type)) continue;
      const std::string method = nearest(last_part(plain), loaded_.methods(i));
      return printable(type.name) + " has no method " + printable(last_part(plain)) +
             (method.empty() ? "" : did_you_mean(type.name + "." + method));
    }
    return "";
  }

  std::string nearest_class() const {
    const std::string plain = dotted(glob_);
    const std::string fixed = plain.substr(0, plain.find('*'));
    const bool is_whole = fixed.size() == plain.size();
    std::string best;
    std::size_t best_distance = most_mistakes(fixed) + 1;
    for (const LoadedClass& type : loaded_.classes) {
      if (!may_be_recorded(type)) continue;
      // Of a glob with a star, what stands before it is compared with as much of the name.
      const std::string_view name = is_whole ? std::string_view(type.name)
                                             : std::string_view(type.name).substr(0, fixed.size());
      const std::size_t longer = std::max(name.size(), fixed.size());
      if (longer - std::min(name.size(), fixed.size()) >= best_distance) continue;
      const std::size_t distance = edit_distance(fixed, name);
      if (distance == 0 || distance >= best_distance) continue;
      // Of a class in front of the star there is nothing left for it.
      const bool is_class = name.size() == type.name.size();
      const std::string other =
          is_class ? type.name : std::string(name) + plain.substr(fixed.size());
      if (!glob_matches(other, type.name)) continue;
      best = other;
      best_distance = distance;
    }
    return best;
  }

  const std::string_view key_;
  const std::string glob_;
  const AgentOptions& options_;
  const Spelling spelling_;
  const LoadedNames& loaded_;
  const MethodFilter recorded_;
};

}  // namespace

std::string hint_for(const UnusedGlob& unused, const AgentOptions& options, Spelling spelling,
                     const LoadedNames& loaded) {
  return Hint(unused, options, spelling, loaded).sentence();
}

}  // namespace copse::agent
