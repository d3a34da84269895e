#include "graph/graph_names.h"

#include "base/utf8.h"

namespace copse::graph {

std::optional<MethodId> MatchedNames::method(MethodId method) {
  const auto [entry, is_new] = known_methods_.try_emplace(method);
  if (!is_new) return entry->second;
  const std::optional<MethodId> found = graph_.method(run_.method(method));
  if (found && methods_taken_by_.try_emplace(*found, method).second) entry->second = found;
  return entry->second;
}

std::optional<SiteOrdinal> MatchedNames::site(MethodId caller, SiteOrdinal site) {
  const std::optional<MethodId> in_graph = method(caller);
  if (!in_graph) return std::nullopt;
  const std::optional<SiteOrdinal> found = graph_.site(*in_graph, run_.bci(caller, site));
  if (!found) return std::nullopt;
  const SiteOrdinal taker = sites_taken_by_.try_emplace({*in_graph, *found}, site).first->second;
  return taker == site ? found : std::nullopt;
}

NameIndex NameIndex::of(const std::vector<MethodName>& methods) {
  NameIndex index;
  for (std::uint32_t id = 1; id < methods.size(); ++id) {
    index.add(methods[id], MethodId{id});
    const std::vector<SiteName>& sites = methods[id].sites;
    for (std::size_t s = 0; s < sites.size(); ++s) {
      index.add(MethodId{id}, sites[s].bci, SiteOrdinal{static_cast<std::uint16_t>(s + 1)});
    }
  }
  return index;
}

void NameIndex::add(const MethodName& name, MethodId method) {
  methods_.try_emplace(key(name), method);
}

void NameIndex::add(MethodId method, std::int32_t bci, SiteOrdinal site) {
  sites_.try_emplace({method, bci}, site);
}

std::optional<MethodId> NameIndex::method(const MethodName& name) const {
  const auto found = methods_.find(key(name));
  return found == methods_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<SiteOrdinal> NameIndex::site(MethodId method, std::int32_t bci) const {
  const auto found = sites_.find({method, bci});
  return found == sites_.end() ? std::nullopt : std::optional(found->second);
}

void NameIndex::for_each_method(
    const std::function<void(const MethodName&, MethodId)>& visit) const {
  for (const auto& [key, method] : methods_) {
    const auto& [class_name, name, descriptor, loader] = key;
    visit({class_name, name, descriptor, {}, loader, {}}, method);
  }
}

// A report's text is valid UTF-8, that of a trace or a class file need not be.
NameIndex::Key NameIndex::key(const MethodName& name) {
  return {valid_utf8(name.class_name), valid_utf8(name.name), valid_utf8(name.descriptor),
          valid_utf8(name.loader)};
}

}  // namespace copse::graph
