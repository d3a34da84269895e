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
    return with_option(spelled(key_, spelling_), glob_) + ": " + nothing + why();
  }

 private:
  // Returns "; REASON", or "" if the reason is unknown.
  std::string why() const {
    if (std::string reason = why_not_recorded(); !reason.empty()) return "; " + reason;
    const auto wanted = [this](const LoadedClass& type) { return options_.jdk || !type.is_jdk; };
    return guess_glob(glob_, names(wanted)).hint([this](std::string_view other) {
      const bool is_typed = spelling_ == Spelling::kCommandLine;
      return with_option(is_typed ? spelled(key_, spelling_) : std::string(key_), other);
    });
  }

  std::string with_option(const std::string& option, std::string_view glob) const {
    return option +
           (spelling_ == Spelling::kCommandLine ? " " + shell_word(glob) : "=" + printable(glob));
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
