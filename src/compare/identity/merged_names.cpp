#include "compare/identity/merged_names.h"

#include <map>
#include <string>
#include <utility>

#include "compare/identity/method_key.h"
#include "report/model/report_builder.h"
#include "report/model/row.h"

namespace copse::identity {
namespace {

using report::ReportModel;

using report::at;

template <typename T>
void agree(T& said, const T& other, const T& otherwise) {
  if (said != other) said = otherwise;
}

void merge_methods(const std::vector<const ReportModel*>& parts, Names rule, MergedNames& merged) {
  ReportModel::Methods& to = merged.methods;
  std::map<MethodKey, std::int32_t> known;
  for (const ReportModel* part : parts) {
    const ReportModel::Methods& from = part->methods;
    std::vector<std::int32_t>& rows = merged.method_of.emplace_back();
    for (std::size_t row = 0; row < from.name.size(); ++row) {
      const MethodKey key = method_key(from, row, rule);
      const auto [found, is_new] =
          known.try_emplace(key, static_cast<std::int32_t>(to.name.size()));
      rows.push_back(found->second);
      if (is_new) {
        to.class_name.push_back(from.class_name[row]);
        to.name.push_back(from.name[row]);
        to.descriptor.push_back(from.descriptor[row]);
        to.source.push_back(from.source[row]);
        to.loader.push_back(from.loader[row]);
        to.stable_class.push_back(from.stable_class[row]);
        continue;
      }
      const std::size_t old = at(found->second);
      // The key stays equal: the class takes the key's name when the stable name is dropped.
      if (to.stable_class[old] != from.stable_class[row]) to.class_name[old] = key.class_name;
      agree(to.stable_class[old], from.stable_class[row], std::string());
      agree(to.class_name[old], from.class_name[row], key.class_name);
      agree(to.name[old], from.name[row], key.name);
      agree(to.descriptor[old], from.descriptor[row], key.descriptor);
      agree(to.source[old], from.source[row], std::string());
      agree(to.loader[old], from.loader[row], std::string());
    }
  }
}

void merge_sites(const std::vector<const ReportModel*>& parts, Sites rule, MergedNames& merged) {
  ReportModel::Sites& to = merged.sites;
  std::map<std::pair<std::int32_t, SiteKey>, std::int32_t> known;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const ReportModel::Sites& from = parts[part]->sites;
    std::vector<std::int32_t>& rows = merged.site_of.emplace_back();
    rows.assign(from.method.size(), -1);
    for (std::size_t row = 0; row < rows.size() && rule != Sites::kNone; ++row) {
      const std::int32_t method = merged.method_of[part][at(from.method[row])];
      const SiteKey key = site_key(from, static_cast<std::int32_t>(row), rule);
      const auto [found, is_new] =
          known.try_emplace({method, key}, static_cast<std::int32_t>(to.method.size()));
      rows[row] = found->second;
      if (is_new) {
        to.method.push_back(method);
        to.bci.push_back(from.bci[row]);
        to.line.push_back(from.line[row]);
        continue;
      }
      agree(to.bci[at(rows[row])], from.bci[row], -1);
      agree(to.line[at(rows[row])], from.line[row], -1);
    }
  }
}

}  // namespace

MergedNames merged_names(const std::vector<const ReportModel*>& parts, const IdRules& rules) {
  MergedNames merged;
  merge_methods(parts, rules.names, merged);
  merge_sites(parts, rules.sites, merged);
  const report::NewNames now = sort_names(merged.methods, merged.sites);
  for (std::vector<std::int32_t>& rows : merged.method_of) report::renumber(now.method, rows);
  for (std::vector<std::int32_t>& rows : merged.site_of) report::renumber(now.site, rows);
  return merged;
}

}  // namespace copse::identity
