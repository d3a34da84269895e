#include "compare/identity/stable_ids.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "compare/identity/sha256.h"
#include "report/model/row.h"

namespace copse::identity {

namespace {

using report::at;
using report::ReportModel;

std::vector<StableId> method_ids(const ReportModel::Methods& methods, Names names) {
  std::vector<StableId> ids(methods.name.size());
  for (std::size_t row = 0; row < ids.size(); ++row) {
    ids[row] = method_id(method_key(methods, row, names));
  }
  return ids;
}

}  // namespace

StableId root_id(const IdRules& rules) { return hash_of(in_words(rules)); }

// 0xFF does not occur in UTF-8, so distinct keys have distinct texts.
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

std::vector<StableId> stable_ids(const ReportModel& model, const IdRules& rules) {
  const ReportModel::Nodes& nodes = model.nodes;
  const std::vector<StableId> methods = method_ids(model.methods, rules.names);
  std::vector<StableId> ids(nodes.parent.size());
  ids[0] = root_id(rules);
  for (std::size_t row = 1; row < ids.size(); ++row) {
    ids[row] = child_id(ids[at(nodes.parent[row])], methods[at(nodes.method[row])],
                        site_key(model.sites, nodes.site[row], rules.sites));
  }
  return ids;
}

std::vector<StableId> stable_ids_at(const ReportModel& model, const IdRules& rules,
                                    const std::vector<std::int32_t>& rows) {
  const ReportModel::Nodes& nodes = model.nodes;
  const std::vector<StableId> methods = method_ids(model.methods, rules.names);
  std::unordered_map<std::int32_t, StableId> known = {{0, root_id(rules)}};  // by row
  std::vector<std::int32_t> path;
  std::vector<StableId> ids;
  for (const std::int32_t row : rows) {
    for (std::int32_t on = row; !known.contains(on); on = nodes.parent[at(on)]) path.push_back(on);
    for (; !path.empty(); path.pop_back()) {
      const std::size_t on = at(path.back());
      known[path.back()] = child_id(known[nodes.parent[on]], methods[at(nodes.method[on])],
                                    site_key(model.sites, nodes.site[on], rules.sites));
    }
    ids.push_back(known[row]);
  }
  return ids;
}

}  // namespace copse::identity
