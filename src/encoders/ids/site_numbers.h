// Numbers for call sites, dense over the whole program: 24 bits, so that they fit in a context id. A method's numbers
// are consecutive: its "no call site" first, then its sites by ordinal.
//
// Thread-safe; one mutex.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/call_path.h"
#include "base/ids.h"

namespace copse::ids {

class SiteNumbers {
 public:
  struct Site {
    MethodId caller{};  // kNoMethod: ROOT
    SiteOrdinal ordinal{};
  };

  SiteNumbers();

  // Returns the number of the method's "no call site"; std::nullopt if the numbers are used up. The first call fixes
  // the method's number of sites.
  std::optional<std::uint32_t> first_of(MethodId method, std::uint32_t site_count);
  // Returns true if the method has numbers.
  bool has(MethodId method) const;
  // Returns the number of a site, or ROOT's. REQUIRES: first_of() was called for the site's method.
  std::uint32_t number(CallSite site) const;
  // Returns the number of numbers, including all of ROOT's.
  std::uint32_t count() const;
  // REQUIRES: `number` was given out.
  Site site(std::uint32_t number) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::uint32_t> first_;  // by method; 0 means none yet
  std::vector<MethodId> callers_;     // by number
};

}  // namespace copse::ids
