#include "agent/method_filter.h"

#include <algorithm>
#include <utility>

namespace copse {
namespace {

// Backtracking over the last star of each kind: `star` may not pass a dot, `deep` may.
struct Retry {
  std::size_t glob = std::string_view::npos;
  std::size_t text = 0;
  bool armed() const noexcept { return glob != std::string_view::npos; }
};

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text) noexcept {
  Retry star, deep;
  std::size_t g = 0, t = 0;
  while (true) {
    if (g < glob.size() && glob[g] == '*') {
      const bool is_deep = g + 1 < glob.size() && glob[g + 1] == '*';
      g += is_deep ? 2 : 1;
      if (is_deep) {
        deep = {g, t};
        star = {};
      } else {
        star = {g, t};
      }
      continue;
    }
    if (t < text.size() && g < glob.size() && glob[g] == text[t]) {
      ++g;
      ++t;
      continue;
    }
    if (t == text.size() && g == glob.size()) return true;
    if (star.armed() && star.text < text.size() && text[star.text] != '.') {
      t = ++star.text;
      g = star.glob;
    } else if (deep.armed() && deep.text < text.size()) {
      t = ++deep.text;
      g = deep.glob;
      star = {};
    } else {
      return false;
    }
  }
}

MethodFilter::MethodFilter(std::vector<std::string> include, std::vector<std::string> exclude)
    : include_(std::move(include)), exclude_(std::move(exclude)) {}

bool MethodFilter::any(const std::vector<std::string>& globs, std::string_view name) const {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return glob_matches(glob, name); });
}

MethodFilter::ClassVerdict MethodFilter::classify(std::string_view class_name) const {
  if (any(exclude_, class_name)) return ClassVerdict::kNone;
  const bool class_included = include_.empty() || any(include_, class_name);
  if (class_included && exclude_.empty()) return ClassVerdict::kAll;
  return ClassVerdict::kSome;
}

bool MethodFilter::includes_method(std::string_view class_name, std::string_view method) const {
  const std::string full = std::string(class_name) + "." + std::string(method);
  const auto matches = [&](const std::vector<std::string>& globs) {
    return any(globs, class_name) || any(globs, full);
  };
  return (include_.empty() || matches(include_)) && !matches(exclude_);
}

}  // namespace copse
