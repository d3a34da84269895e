// Any glob on any name: the answer of the definition, computed the slow and plain way.
//
// Input: the glob, a line feed, the name.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/glob.h"

using namespace copse;

namespace {

// The plain way costs |glob| * |name|.
constexpr std::size_t kLongest = 1 << 10;

// Row by row: after each token of the glob, which beginnings of the name it can have taken.
bool matches_by_definition(std::string_view glob, std::string_view text) {
  std::vector<bool> taken(text.size() + 1, false);
  taken[0] = true;
  while (!glob.empty()) {
    const bool deep = glob.substr(0, 2) == "**";
    const bool star = glob.front() == '*';
    std::vector<bool> next(text.size() + 1, false);
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (star) {
        next[i] = taken[i] || (i > 0 && next[i - 1] && (deep || text[i - 1] != '.'));
      } else if (i > 0) {
        next[i] = taken[i - 1] && text[i - 1] == glob.front();
      }
    }
    taken = std::move(next);
    glob.remove_prefix(deep ? 2 : 1);
  }
  return taken[text.size()];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos || size > kLongest) return 0;
  const std::string_view glob = input.substr(0, end);
  const std::string_view name = input.substr(end + 1);
  if (glob_matches(glob, name) != matches_by_definition(glob, name)) {
    std::fprintf(stderr, "glob_fuzz: the answer is not that of the definition\n");
    std::abort();
  }
  return 0;
}
