#include "encoders/ids/thread_origins.h"

#include <algorithm>

#include "base/make_room.h"

namespace copse::ids {

bool ThreadOrigins::add(const ThreadOrigin& origin) {
  if (origin.thread == 0 || find(origin.thread) != nullptr) return false;
  if (origins_.size() >= kMost) {
    ++not_kept_;
    return false;
  }
  make_room(origins_, origins_.size() + 1);
  index_[static_cast<std::uint64_t>(origin.thread)] = static_cast<std::uint32_t>(origins_.size());
  origins_.push_back(origin);
  return true;
}

std::vector<ThreadOrigin> ThreadOrigins::leading_to(std::int64_t thread) const {
  std::vector<ThreadOrigin> starts;
  std::size_t before = origins_.size();
  for (const std::uint32_t* at = find(thread); at != nullptr && *at < before;) {
    before = *at;
    starts.push_back(origins_[before]);
    at = find(starts.back().starter);
  }
  std::reverse(starts.begin(), starts.end());
  return starts;
}

void ThreadOrigins::save(wire::StateWriter& out) const {
  out.number(origins_.size());
  for (const ThreadOrigin& origin : origins_) {
    out.number(static_cast<std::uint64_t>(origin.thread));
    out.number(static_cast<std::uint64_t>(origin.starter));
    out.number(origin.id);
    out.number(raw(origin.site));
  }
}

void ThreadOrigins::load(wire::StateReader& in) {
  for (std::size_t left = in.count(4); left != 0 && in.ok(); --left) {
    ThreadOrigin origin;
    origin.thread = static_cast<std::int64_t>(in.number());
    origin.starter = static_cast<std::int64_t>(in.number());
    origin.id = in.number();
    constexpr std::uint64_t kSites = 1u << 16;
    origin.site = SiteOrdinal{static_cast<std::uint16_t>(in.number_below(kSites, "call site"))};
    if (in.ok() && !add(origin)) in.fail("a thread has two origins");
  }
}

}  // namespace copse::ids
