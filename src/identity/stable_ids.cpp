#include "identity/stable_ids.h"

#include <algorithm>
#include <string_view>

#include "identity/sha256.h"

namespace copse::identity {

StableId root_id(const IdRules& rules) { return hash_of(in_words(rules)); }

// 0xFF is in no UTF-8, so no two keys are one text.
StableId method_id(const MethodKey& method) {
  return hash_of(method.class_name + '\xff' + method.name + '\xff' + method.descriptor);
}

StableId child_id(const StableId& parent, const StableId& method, const SiteKey& site) {
  constexpr std::size_t kNumberBytes = 4;
  std::array<char, 2 * StableId::kBytes + 1 + kNumberBytes> bytes;
  char* to = bytes.data();
  to = std::copy(parent.bytes.begin(), parent.bytes.end(), to);
  to = std::copy(method.bytes.begin(), method.bytes.end(), to);
  *to++ = static_cast<char>(site.kind);
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    *to++ = static_cast<char>(site.number >> 8 * i & 0xFF);
  }
  return hash_of({bytes.data(), bytes.size()});
}

std::vector<StableId> stable_ids(const report::ReportModel& model, const IdRules& rules) {
  const report::ReportModel::Nodes& nodes = model.nodes;
  std::vector<StableId> methods(model.methods.name.size());
  for (std::size_t row = 0; row < methods.size(); ++row) {
    methods[row] = method_id(method_key(model.methods, row, rules.names));
  }
  std::vector<StableId> ids(nodes.parent.size());
  ids[0] = root_id(rules);
  for (std::size_t row = 1; row < ids.size(); ++row) {
    ids[row] = child_id(ids[static_cast<std::size_t>(nodes.parent[row])],
                        methods[static_cast<std::size_t>(nodes.method[row])],
                        site_key(model.sites, nodes.site[row], rules.sites));
  }
  return ids;
}

}  // namespace copse::identity
