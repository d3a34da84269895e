#include "encoders/ids/site_numbers.h"

#include "encoders/ids/id_layout.h"

namespace copse::ids {

SiteNumbers::SiteNumbers() : callers_(kRootNumbers, kNoMethod) {}

std::optional<std::uint32_t> SiteNumbers::first_of(MethodId method, std::uint32_t site_count) {
  const std::lock_guard lock(mutex_);
  if (raw(method) >= first_.size()) first_.resize(raw(method) + 1, 0);
  std::uint32_t& first = first_[raw(method)];
  if (first != 0) return first;
  if (callers_.size() + site_count + 1 > kLostNumber) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(callers_.size());
  callers_.insert(callers_.end(), site_count + 1, method);
  first = number;
  return number;
}

bool SiteNumbers::has(MethodId method) const {
  const std::lock_guard lock(mutex_);
  return raw(method) < first_.size() && first_[raw(method)] != 0;
}

std::uint32_t SiteNumbers::number(CallSite site) const {
  if (site.caller == kNoMethod) return kRootNumber;
  const std::lock_guard lock(mutex_);
  return first_[raw(site.caller)] + raw(site.ordinal);
}

std::uint32_t SiteNumbers::count() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint32_t>(callers_.size());
}

SiteNumbers::Site SiteNumbers::site(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  const MethodId caller = callers_[number];
  if (caller == kNoMethod) return {};
  return {caller, SiteOrdinal{static_cast<std::uint16_t>(number - first_[raw(caller)])}};
}

}  // namespace copse::ids
