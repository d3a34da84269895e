// Numbers for call sites, dense over the whole program: 24 bits, so that a context id has room for
// them. A method's numbers are consecutive: its "no call site" first, then its sites by ordinal.
//
// Threads: any; one mutex.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/call_path.h"
#include "base/ids.h"

namespace copse::context_id {

class SiteNumbers {
 public:
  struct Site {
    MethodId caller{};  // kNoMethod: ROOT
    SiteOrdinal ordinal{};
  };

  SiteNumbers();

  // The number of the method's "no call site". The first call fixes how many sites it has; nothing
  // when the numbers are used up.
  std::optional<std::uint32_t> first_of(MethodId method, std::uint32_t site_count);
  // Whether the method was given them.
  bool has(MethodId method) const;
  // Of a site whose method was given its first; ROOT's too.
  std::uint32_t number(CallSite site) const;
  // How many there are, ROOT's included.
  std::uint32_t count() const;
  // `number`: one given out.
  Site site(std::uint32_t number) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::uint32_t> first_;  // by method; 0: none yet
  std::vector<MethodId> callers_;     // by number
};

}  // namespace copse::context_id
