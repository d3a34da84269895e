#include "base/glob.h"

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

GlobList::GlobList(std::vector<std::string> globs)
    : globs_(std::move(globs)), used_(new std::atomic<bool>[globs_.size()]()) {}

bool GlobList::matches(std::string_view name) const noexcept {
  bool any = false;
  for (std::size_t i = 0; i < globs_.size(); ++i) {
    // Each glob is to be found in use by itself, though another matched before it.
    const bool known = any && used_[i].load(std::memory_order_relaxed);
    if (known || !glob_matches(globs_[i], name)) continue;
    any = true;
    // Relaxed: read when recording has ended, which is ordered by other means.
    used_[i].store(true, std::memory_order_relaxed);
  }
  return any;
}

std::vector<std::string> GlobList::unused() const {
  std::vector<std::string> globs;
  for (std::size_t i = 0; i < globs_.size(); ++i) {
    if (!used_[i].load(std::memory_order_relaxed)) globs.push_back(globs_[i]);
  }
  return globs;
}

}  // namespace copse
