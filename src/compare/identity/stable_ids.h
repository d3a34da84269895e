// Computes stable ids of a report's contexts: equal in every run, on every machine and JDK.
// docs/report-schema.md defines them byte by byte.
//
//   id(ROOT)  = H(in_words(rules))
//   id(child) = H(id(parent), H(class FF name FF descriptor), kind of its call site, number)
//   H         = the first 16 bytes of SHA-256
//
// Contexts that are equal by the rules share an id; users of ids sum their amounts.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stable_id.h"
#include "compare/identity/id_rules.h"
#include "compare/identity/method_key.h"
#include "report/model/report_model.h"

namespace copse::identity {

StableId root_id(const IdRules& rules);
StableId method_id(const MethodKey& method);
// `method`: method_id() of the callee.
StableId child_id(const StableId& parent, const StableId& method, const SiteKey& site);

// Returns the ids of all nodes, ROOT first. Cost: one pass, a hash of 64 bytes per node and method.
std::vector<StableId> stable_ids(const report::ReportModel& model, const IdRules& rules);
// Returns the ids of `rows`, in their order. Cost: one hash for each node on their paths.
std::vector<StableId> stable_ids_at(const report::ReportModel& model, const IdRules& rules,
                                    const std::vector<std::int32_t>& rows);

}  // namespace copse::identity
