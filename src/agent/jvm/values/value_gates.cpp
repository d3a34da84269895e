#include "agent/jvm/values/value_gates.h"

#include "ptql/plan/removal_rules.h"

namespace copse::jvm {

ValueGates::ValueGates(const std::vector<const ptql::Plan*>& plans) {
  for (const ptql::Plan* plan : plans) gates_.push_back({ptql::started_before(*plan)});
}

}  // namespace copse::jvm
