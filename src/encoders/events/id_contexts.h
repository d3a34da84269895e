// Finds contexts of ids in a tree. An id is decoded only up to the nearest caller whose place is kept, so that n
// contexts of a recursion take some n steps, however deep they are.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/call_path.h"
#include "base/call_record.h"
#include "base/flat_map.h"

namespace copse::events {

// Steps of a decode, by the numbers of contexts.
struct IdSteps {
  struct LastCall {
    EdgeKey edge;
    std::uint64_t caller;  // its context's number
  };
  // Returns std::nullopt if no context has the number, or it is ROOT's.
  std::function<std::optional<LastCall>(std::uint64_t number)> last_call;
  std::function<bool(std::uint64_t number)> is_root;
};

class IdContexts {
 public:
  static constexpr std::uint32_t kRoot = 0;
  static constexpr const char* kUnknown = "no context of this run has this id";

  // Returns the node of a context; std::nullopt if no context has the number. `child` returns the child of a node by
  // its key (call_record.h), or `no_node`, which then is the result. Throws std::bad_alloc.
  template <typename Child>
  std::optional<std::uint32_t> node_of(std::uint64_t number, const IdSteps& steps,
                                       std::uint32_t no_node, Child child) {
    std::uint32_t node = kRoot;
    passed_.clear();
    for (std::uint64_t at = number; !steps.is_root(at);) {
      if (const std::uint32_t* kept = kept_.find(at)) {
        node = *kept;
        break;
      }
      const std::optional<IdSteps::LastCall> last = steps.last_call(at);
      if (!last || passed_.size() >= kMostSteps) return std::nullopt;
      passed_.push_back({at, last->edge});
      at = last->caller;
    }
    for (std::size_t i = passed_.size(); i-- > 0;) {
      const auto& [at, edge] = passed_[i];
      node = child(node, context_key(site_of(edge).ordinal, callee_of(edge)));
      if (node == no_node) return no_node;
      if (is_kept(node)) kept_[at] = node;
    }
    return node;
  }

 private:
  static constexpr std::size_t kMostSteps = std::size_t{1} << 22;

  struct Passed {
    std::uint64_t number;
    EdgeKey edge;
  };

  // One node in eight, whatever the steps between the nodes of a path.
  static bool is_kept(std::uint32_t node) noexcept {
    return hash_of(std::uint64_t{node}) >> 61 == 0;
  }

  FlatMap<std::uint64_t, std::uint32_t> kept_;  // by number other than 0
  std::vector<Passed> passed_;
};

}  // namespace copse::events
