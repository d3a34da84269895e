#include "agent/glob_hint.h"

#include <utility>
#include <vector>

#include "agent/method_filter.h"
#include "agent/option_rules.h"
#include "base/glob.h"
#include "base/glob_guess.h"
#include "base/printable.h"
#include "base/shell_word.h"

namespace copse::agent {
namespace {

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

  std::string sentence() const {
    const char* const nothing = key_ == "mark"      ? "matched no method"
                                : key_ == "exclude" ? "left nothing out"
                                                    : "matched nothing";
    const std::string option = spelling_ == Spelling::kCommandLine
                                   ? spelled(key_, spelling_) + " " + shell_word(glob_)
                                   : spelled(key_, spelling_) + "=" + printable(glob_);
    return option + ": " + nothing + why();
  }

 private:
  // Returns "; REASON", or "" if the reason is unknown.
  std::string why() const {
    if (std::string reason = why_not_recorded(); !reason.empty()) return "; " + reason;
    const GlobGuess guess = guess_glob(
        glob_, names([this](const LoadedClass& type) { return options_.jdk || !type.is_jdk; }));
    return (guess.reason.empty() ? "" : "; " + guess.reason) +
           (guess.glob.empty() ? "" : did_you_mean(guess.glob));
  }

  std::string did_you_mean(const std::string& other) const {
    const std::string option = spelling_ == Spelling::kCommandLine
                                   ? spelled(key_, spelling_) + " " + shell_word(other)
                                   : std::string(key_) + "=" + printable(other);
    return "; did you mean " + option + "?";
  }

  template <typename Wanted>
  KnownNames names(const Wanted& wanted) const {
    KnownNames known;
    std::vector<std::size_t> index;  // among those that are loaded
    for (std::size_t i = 0; i < loaded_.classes.size(); ++i) {
      if (!wanted(loaded_.classes[i])) continue;
      known.classes.push_back(loaded_.classes[i].name);
      index.push_back(i);
    }
    known.methods = [this, index = std::move(index)](std::size_t i) {
      return loaded_.methods(index[i]);
    };
    return known;
  }

  // Returns what else keeps a loaded class or method that the glob means from being recorded; "" if unknown.
  std::string why_not_recorded() const {
    const FoundName found = find_name(glob_, names([](const LoadedClass&) { return true; }));
    if (found.name.empty()) return "";
    const LoadedClass& type = loaded_.classes[found.class_index];
    if (type.is_jdk && key_ == "values") {
      return !begins_with_package(glob_)
                 ? printable(found.name) +
                       " is the JDK's own, which a glob is about that begins "
                       "with a package"
                 : "";
    }
    if (type.is_jdk && !options_.jdk) {
      return printable(found.name) + " is the JDK's own, which is recorded with " +
             (spelling_ == Spelling::kCommandLine ? "--jdk" : "jdk");
    }
    if (key_ == "exclude") return "";
    const bool excluded =
        recorded_.classify(type.name) == MethodFilter::ClassVerdict::kNone ||
        (!found.method.empty() && !recorded_.includes_method(type.name, found.method));
    if (excluded) return printable(found.name) + " is left out by the other globs";
    if (found.method.empty()) return "";
    return printable(found.name) + " has no code of its own that could be recorded";
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
