#include "agent/jvm/method_table.h"

#include <algorithm>

namespace copse {
namespace {

std::string dotted(std::string_view internal_name) {
  std::string name(internal_name);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

std::string joined(std::string_view a, std::string_view b) {
  std::string key(a);
  key += '\0';
  key += b;
  return key;
}

}  // namespace

MethodTable::ClassId MethodTable::open_class(std::uint64_t loader, std::string_view loader_name,
                                             std::string_view internal_name,
                                             std::string_view source_file) {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = class_ids_.try_emplace(joined(std::to_string(loader), internal_name),
                                                      ClassId(classes_.size()));
  if (is_new) {
    classes_.push_back(
        {dotted(internal_name), std::string(source_file), std::string(loader_name), {}});
  } else if (Class& known = classes_[raw(entry->second)]; known.source.empty()) {
    known.source = source_file;
  }
  return entry->second;
}

MethodId MethodTable::method(ClassId owner, std::string_view name, std::string_view descriptor) {
  const std::lock_guard lock(mutex_);
  auto& ids = classes_[raw(owner)].methods;
  std::string key = joined(name, descriptor);
  if (const auto known = ids.find(key); known != ids.end()) {
    methods_[raw(known->second) - 1].next_site = 0;
    return known->second;
  }
  if (methods_.size() >= kMaxMethodId) return kNoMethod;
  methods_.push_back({owner, std::string(name), std::string(descriptor), {}, 0});
  const MethodId id{static_cast<std::uint32_t>(methods_.size())};
  ids.emplace(std::move(key), id);
  return id;
}

SiteOrdinal MethodTable::site(MethodId caller, std::uint32_t bci, std::int32_t line) {
  const std::lock_guard lock(mutex_);
  Method& method = methods_[raw(caller) - 1];
  std::vector<Site>& sites = method.sites;
  const auto is_this = [&](const Site& site) { return site.bci == bci && site.line == line; };
  std::size_t index = method.next_site;
  if (index >= sites.size() || !is_this(sites[index])) {
    // The first rewriting appends in order of bci; only a changed body has to search.
    const bool beyond_all = sites.empty() || sites.back().bci < bci;
    index = beyond_all ? sites.size()
                       : static_cast<std::size_t>(
                             std::find_if(sites.begin(), sites.end(), is_this) - sites.begin());
    if (index == sites.size()) {
      if (sites.size() >= 0xffff) return kNoSite;
      sites.push_back({bci, line});
    }
  }
  method.next_site = index + 1;
  return SiteOrdinal{static_cast<std::uint16_t>(index + 1)};
}

void MethodTable::skipped(std::string_view internal_class_name, std::string_view method,
                          std::string_view reason) {
  const std::lock_guard lock(mutex_);
  std::string key = joined(joined(internal_class_name, method), reason);
  if (skip_ids_.try_emplace(std::move(key), skips_.size()).second) {
    skips_.push_back({dotted(internal_class_name), std::string(method), std::string(reason)});
  }
}

void MethodTable::export_to(ProgramTables& tables) const {
  const std::lock_guard lock(mutex_);
  tables.methods.resize(1);
  tables.methods.reserve(methods_.size() + 1);
  for (const Method& method : methods_) {
    const Class& owner = classes_[raw(method.owner)];
    ProgramTables::Method& row = tables.methods.emplace_back(ProgramTables::Method{
        owner.name, method.name, method.descriptor, owner.source, owner.loader, {}});
    row.sites.reserve(method.sites.size());
    for (const Site& site : method.sites) {
      row.sites.push_back({static_cast<std::int32_t>(site.bci), site.line});
    }
  }
  for (const Skip& skip : skips_) {
    tables.skipped.push_back({skip.class_name, skip.method, skip.reason});
  }
}

std::size_t MethodTable::method_count() const {
  const std::lock_guard lock(mutex_);
  return methods_.size();
}

}  // namespace copse
