// Translates contexts of earlier epochs to numbers of the current one. A frame entered in an earlier epoch is
// translated once, when it calls next.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "encoders/numbering/id_decode.h"

namespace copse::encoders {

class EpochTranslations {
 public:
  // Returns piece and code in the current epoch, the last of `pieces`, for the context `id` of an earlier epoch.
  // `call(from, edge)`: result of a call by the edge from piece and code `from`. Cost: a few look-ups for every frame
  // above that was not translated yet.
  template <typename Call>
  std::uint64_t of(const CodeNumbering& numbering, const IdPieceList& pieces, std::uint64_t id,
                   Call&& call) {
    std::vector<std::pair<std::uint64_t, EdgeKey>> left;  // callers last
    std::uint64_t now = pieces.root() * kMostIdCodes;
    while (id_method(id) != kRootMethod) {
      if (const std::uint64_t* known = known_.find(id)) {
        now = *known;
        break;
      }
      const LastCall last = last_call(numbering, pieces, id).value();
      left.emplace_back(id, last.edge);
      id = last.caller;
    }
    for (; !left.empty(); left.pop_back()) {
      now = call(now, left.back().second);
      known_[left.back().first] = now;
    }
    return now;
  }

  // Begins an epoch.
  void forget() noexcept { known_.clear(); }
  std::uint64_t bytes() const noexcept { return known_.bytes(); }

 private:
  FlatMap<std::uint64_t, std::uint64_t> known_;  // by id
};

}  // namespace copse::encoders
