#include "agent/jvm/ids/id_places.h"

#include "agent/jvm/jvm_names.h"

namespace copse::jvm {

IdPlaces::IdPlaces(ids::ContextIds& ids, const std::vector<std::string>& marks,
                   ProbeSelection* selection)
    : ids_(ids), selection_(selection), any_marked_(!marks.empty()), marked_(marks, {}) {}

std::optional<std::int64_t> IdPlaces::place(MethodId method, std::uint32_t sites) {
  if (selection_ != nullptr && !selection_->gives_probes(method)) return std::nullopt;
  return ids_.place(method, sites);
}

std::int64_t IdPlaces::site(MethodId caller, SiteOrdinal site) { return ids_.site(caller, site); }

bool IdPlaces::is_marked(std::string_view class_name, std::string_view method) {
  if (!any_marked_) return false;
  return marked_.includes_method(dotted(class_name), method);
}

}  // namespace copse::jvm
