// Names of places for the probes of context ids, and the methods whose entries are events.
#pragma once

#include "agent/jvm/hook/probe_selection.h"
#include "agent/method_filter.h"
#include "encoders/ids/context_ids.h"
#include "probes/context_id_probes.h"

namespace copse::jvm {

class IdPlaces final : public classfile::PlaceHost {
 public:
  // `marks`: globs, see base/glob.h; empty: no method is marked. `selection`: methods that get probes; nullptr:
  // all.
  IdPlaces(ids::ContextIds& ids, const std::vector<std::string>& marks, ProbeSelection* selection);

  std::optional<std::int64_t> place(MethodId method, std::uint32_t sites) override;
  std::int64_t site(MethodId caller, SiteOrdinal site) override;
  bool is_marked(std::string_view class_name, std::string_view method) override;

  const GlobList& marks() const noexcept { return marked_.include(); }

 private:
  ids::ContextIds& ids_;
  ProbeSelection* const selection_;
  const bool any_marked_;
  const agent::MethodFilter marked_;
};

}  // namespace copse::jvm
