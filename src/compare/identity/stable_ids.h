// Stable ids of a report's contexts: equal in every run, on every machine and JDK. docs/formats.md
// says byte by byte how they are made.
//
//   id(ROOT)  = H(in_words(rules))
//   id(child) = H(id(parent), H(class FF name FF descriptor), kind of its call site, number)
//   H         = the first 16 bytes of SHA-256
//
// Contexts that are equal by the rules have one id; who adds by id adds them.
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
// `method`: method_id() of what is called.
StableId child_id(const StableId& parent, const StableId& method, const SiteKey& site);

// Of every node, ROOT's first. Cost: one pass, a hash of 64 bytes per node and method.
std::vector<StableId> stable_ids(const report::ReportModel& model, const IdRules& rules);
// Of some nodes, in the order of `rows`. Cost: a hash for each node on their paths.
std::vector<StableId> stable_ids_at(const report::ReportModel& model, const IdRules& rules,
                                    const std::vector<std::int32_t>& rows);

}  // namespace copse::identity
