#include "base/glob.h"

#include <algorithm>
#include <string>
#include <utility>

namespace copse {
namespace {

// Backtracking over the last star of each kind: `star` may not pass a dot, `deep` may.
struct Retry {
  std::size_t glob = std::string_view::npos;
  std::size_t text = 0;
  bool armed() const noexcept { return glob != std::string_view::npos; }
};

// Returns where the forms of a class name begin: whole, without its package, without each enclosing class.
// npos is the end.
std::size_t next_form(std::string_view class_name, std::size_t from) noexcept {
  const std::size_t dot = class_name.rfind('.');
  const bool has_package = from == 0 && dot != std::string_view::npos;
  const std::size_t before = has_package ? dot : class_name.find('$', from + 1);
  return before == std::string_view::npos || before + 1 == class_name.size()
             ? std::string_view::npos
             : before + 1;
}

// `name` begins with the class name.
bool glob_names(std::string_view glob, std::string_view class_name,
                std::string_view name) noexcept {
  for (std::size_t form = 0; form != std::string_view::npos; form = next_form(class_name, form)) {
    if (glob_matches(glob, name.substr(form))) return true;
  }
  return false;
}

// Length of the star at the beginning.
std::size_t star_length(std::string_view glob) noexcept { return glob.starts_with("**") ? 2 : 1; }

// REQUIRES: `from` matches the text.
std::string substituted(std::string_view from, std::string_view to, std::string_view text) {
  std::string now;
  while (true) {
    const std::size_t star = from.find('*'), place = to.find('*');
    now += to.substr(0, place);
    if (star == std::string_view::npos) return now;
    const std::size_t length = star_length(from.substr(star));
    text.remove_prefix(star);
    from.remove_prefix(star + length);
    to.remove_prefix(place + length);
    std::size_t taken = 0;
    while (!glob_matches(from, text.substr(taken))) ++taken;
    now += text.substr(0, taken);
    text.remove_prefix(taken);
  }
}

std::string full_name(std::string_view class_name, std::string_view method) {
  return std::string(class_name) + "." + std::string(method);
}

// `full`: the full_name().
bool glob_names_method(std::string_view glob, std::string_view class_name, std::string_view method,
                       std::string_view full) noexcept {
  if (class_name.empty()) return glob_matches(glob, method);
  return glob_names_class(glob, class_name) || glob_names(glob, class_name, full);
}

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

bool have_same_stars(std::string_view a, std::string_view b) noexcept {
  while (true) {
    a.remove_prefix(std::min(a.find('*'), a.size()));
    b.remove_prefix(std::min(b.find('*'), b.size()));
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    const std::size_t length = star_length(a);
    if (length != star_length(b)) return false;
    a.remove_prefix(length);
    b.remove_prefix(length);
  }
}

std::optional<std::string> glob_renamed(std::string_view from, std::string_view to,
                                        std::string_view class_name, std::string_view name) {
  for (std::size_t form = 0; form != std::string_view::npos; form = next_form(class_name, form)) {
    if (!glob_matches(from, name.substr(form))) continue;
    return std::string(name.substr(0, form)) + substituted(from, to, name.substr(form));
  }
  return std::nullopt;
}

bool glob_names_class(std::string_view glob, std::string_view class_name) noexcept {
  return !class_name.empty() && glob_names(glob, class_name, class_name);
}

bool glob_names_method(std::string_view glob, std::string_view class_name,
                       std::string_view method) {
  return glob_names_method(glob, class_name, method, full_name(class_name, method));
}

bool begins_with_package(std::string_view glob) noexcept {
  return !glob.empty() && glob.front() >= 'a' && glob.front() <= 'z' &&
         glob.find('.') != std::string_view::npos;
}

GlobList::GlobList(std::vector<std::string> globs)
    : globs_(std::move(globs)), used_(new std::atomic<bool>[globs_.size()]()) {
  for (std::size_t i = 0; i < globs_.size(); ++i) {
    if (globs_[i].find('*') == std::string::npos) {
      texts_.emplace(globs_[i], i);
    } else {
      patterns_.push_back(i);
    }
  }
}

// Relaxed in both: notes are read when recording has ended, which is ordered by other means.
bool GlobList::note_equal(std::string_view text) const noexcept {
  const auto [first, last] = texts_.equal_range(text);
  for (auto found = first; found != last; ++found) {
    used_[found->second].store(true, std::memory_order_relaxed);
  }
  return first != last;
}

// Each form is tried, since globs may name several. `name` begins with the class name.
bool GlobList::note_equal_forms(std::string_view class_name, std::string_view name) const noexcept {
  bool any = false;
  if (texts_.empty()) return any;
  for (std::size_t form = 0; form != std::string_view::npos; form = next_form(class_name, form)) {
    any |= note_equal(name.substr(form));
  }
  return any;
}

template <typename Matches>
bool GlobList::note_matching(const Matches& matches) const {
  bool any = false;
  for (const std::size_t i : patterns_) {
    // Each glob is to be found in use by itself, though another matched before it.
    const bool known = any && used_[i].load(std::memory_order_relaxed);
    if (known || !matches(globs_[i])) continue;
    any = true;
    used_[i].store(true, std::memory_order_relaxed);
  }
  return any;
}

bool GlobList::matches(std::string_view text) const noexcept {
  const bool is_equal = note_equal(text);
  return note_matching([text](std::string_view glob) { return glob_matches(glob, text); }) ||
         is_equal;
}

bool GlobList::name_class(std::string_view class_name) const noexcept {
  if (class_name.empty()) return false;
  const bool is_equal = note_equal_forms(class_name, class_name);
  return note_matching(
             [class_name](std::string_view glob) { return glob_names_class(glob, class_name); }) ||
         is_equal;
}

bool GlobList::name_method(std::string_view class_name, std::string_view method) const {
  if (globs_.empty()) return false;
  const std::string full = full_name(class_name, method);
  bool is_equal = false;
  if (class_name.empty()) {
    is_equal = note_equal(method);
  } else {
    is_equal = note_equal_forms(class_name, class_name);
    is_equal |= note_equal_forms(class_name, full);
  }
  return note_matching([&](std::string_view glob) {
           return glob_names_method(glob, class_name, method, full);
         }) ||
         is_equal;
}

std::vector<std::string> GlobList::unused() const {
  std::vector<std::string> globs;
  for (std::size_t i = 0; i < globs_.size(); ++i) {
    if (!used_[i].load(std::memory_order_relaxed)) globs.push_back(globs_[i]);
  }
  return globs;
}

}  // namespace copse
