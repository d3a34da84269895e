// Contexts in which the threads of a run were started, by the JVM's thread ids: with them a context begins where the
// program does, not at its thread's entry (DACCE).
//
// Origins are in the order of the starts, so the thread that starts another one has its own origin before, unless
// nothing told its start. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/flat_map.h"
#include "base/ids.h"
#include "base/wire/state_io.h"

namespace copse::ids {

struct ThreadOrigin {
  std::int64_t thread = 0;
  std::int64_t starter = 0;  // thread that started it
  std::uint64_t id =
      0;  // of the starter's context (context_number.h); 0: outside any recorded context, or lost
  SiteOrdinal site{};  // of the starting call in its method; kNoSite if unknown

  friend bool operator==(const ThreadOrigin&, const ThreadOrigin&) = default;
};
static_assert(sizeof(ThreadOrigin) == 32 && std::is_trivially_copyable_v<ThreadOrigin>);

class ThreadOrigins {
 public:
  // Threads whose origins are kept; some 60 MB.
  static constexpr std::size_t kMost = std::size_t{1} << 20;

  // Returns false if the origin is not kept: a thread that has one keeps it. Throws std::bad_alloc.
  bool add(const ThreadOrigin& origin);
  // nullptr if nothing told of the thread's start. The next add() may move it.
  const ThreadOrigin* origin_of(std::int64_t thread) const noexcept {
    const std::uint32_t* at = find(thread);
    return at == nullptr ? nullptr : &origins_[*at];
  }
  std::size_t count() const noexcept { return origins_.size(); }
  // Number of threads beyond kMost.
  std::uint64_t not_kept() const noexcept { return not_kept_; }

  // Returns the starts that lead to a thread, the first one first; none if nothing told of its start.
  std::vector<ThreadOrigin> leading_to(std::int64_t thread) const;

  void save(wire::StateWriter& out) const;
  // REQUIRES: there are none yet.
  void load(wire::StateReader& in);

 private:
  // The JVM numbers threads from 1.
  const std::uint32_t* find(std::int64_t thread) const noexcept {
    return thread == 0 ? nullptr : index_.find(static_cast<std::uint64_t>(thread));
  }

  std::vector<ThreadOrigin> origins_;
  FlatMap<std::uint64_t, std::uint32_t> index_;  // by thread
  std::uint64_t not_kept_ = 0;
};

}  // namespace copse::ids
