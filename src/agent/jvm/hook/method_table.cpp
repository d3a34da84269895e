#include "agent/jvm/hook/method_table.h"

#include <algorithm>
#include <functional>

#include "agent/jvm/jvm_names.h"

namespace copse::jvm {
namespace {

std::string joined(std::string_view a, std::string_view b) {
  std::string key(a);
  key += '\0';
  key += b;
  return key;
}

std::uint32_t signature_hash(std::string_view name, std::string_view descriptor) {
  const std::hash<std::string_view> hash;
  return static_cast<std::uint32_t>(hash(name) * 31 + hash(descriptor));
}

}  // namespace

MethodTable::ClassId MethodTable::open_class(const ClassOrigin& origin,
                                             std::string_view internal_name,
                                             std::string_view source_file) {
  const std::lock_guard lock(mutex_);
  std::string name = dotted(internal_name);
  if (origin.again) {
    if (const ClassId* known = find_class(origin.loader, name); known != nullptr) return *known;
  }
  const std::string owner = origin.content == 0
                                ? std::to_string(origin.loader)
                                : joined(origin.loader_name, std::to_string(origin.content));
  const auto [entry, is_new] =
      class_ids_.try_emplace(joined(owner, internal_name), ClassId(classes_.size()));
  of_loader_[origin.loader].insert_or_assign(name, entry->second);
  if (is_new) {
    classes_.push_back({std::move(name), std::string(source_file), std::string(origin.loader_name),
                        std::string(origin.stable_name)});
  } else if (Class& known = classes_[raw(entry->second)]; known.source.empty()) {
    known.source = source_file;
  }
  return entry->second;
}

// The loader's latest class of this name.
const MethodTable::ClassId* MethodTable::find_class(std::uint64_t loader,
                                                    const std::string& dotted_name) const {
  const auto loaded = of_loader_.find(loader);
  if (loaded == of_loader_.end()) return nullptr;
  const auto found = loaded->second.find(dotted_name);
  return found == loaded->second.end() ? nullptr : &found->second;
}

bool MethodTable::knows_class(std::uint64_t loader, std::string_view internal_name) const {
  const std::lock_guard lock(mutex_);
  return find_class(loader, dotted(internal_name)) != nullptr;
}

MethodId MethodTable::method(ClassId owner, std::string_view name, std::string_view descriptor) {
  const std::lock_guard lock(mutex_);
  auto& ids = classes_[raw(owner)].methods;
  std::string key = joined(name, descriptor);
  if (const auto known = ids.find(key); known != ids.end()) {
    Method& method = methods_[raw(known->second) - 1];
    method.next_site = 0;
    if (fixed_sites_) method.most_sites = std::min(method.most_sites, method.sites.size());
    return known->second;
  }
  if (methods_.size() >= kLastMethodId) return kNoMethod;
  Method& method = methods_.emplace_back();
  method.owner = owner;
  method.name = name;
  method.descriptor = descriptor;
  const MethodId id{static_cast<std::uint32_t>(methods_.size())};
  mark_changed(method, id);
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
      if (sites.size() >= method.most_sites) return kNoSite;
      sites.push_back({.bci = bci, .line = line});
      if (!method.is_changed) mark_changed(method, caller);
    }
  }
  method.next_site = index + 1;
  return SiteOrdinal{static_cast<std::uint16_t>(index + 1)};
}

void MethodTable::moved_site(MethodId caller, SiteOrdinal site, std::uint32_t bci) {
  const std::lock_guard lock(mutex_);
  methods_[raw(caller) - 1].sites[raw(site) - 1u].moved_bci = bci;
}

SiteOrdinal MethodTable::site_at(MethodId caller, std::uint32_t moved_bci) const {
  const std::lock_guard lock(mutex_);
  const std::vector<Site>& sites = methods_[raw(caller) - 1].sites;
  const auto found = std::ranges::find(sites, moved_bci, &Site::moved_bci);
  if (found == sites.end() || moved_bci == 0) return kNoSite;
  return SiteOrdinal{static_cast<std::uint16_t>(found - sites.begin() + 1)};
}

void MethodTable::has_leaf_probe(MethodId method, bool has) {
  const std::lock_guard lock(mutex_);
  methods_[raw(method) - 1].has_leaf_probe = has;
}

void MethodTable::calls(MethodId caller, SiteOrdinal site, std::string_view name,
                        std::string_view descriptor) {
  const std::lock_guard lock(mutex_);
  methods_[raw(caller) - 1].sites[raw(site) - 1u].callee = signature_hash(name, descriptor);
}

bool MethodTable::is_leaf_of(MethodId caller, SiteOrdinal site, MethodId callee) const {
  const std::lock_guard lock(mutex_);
  const Method& called = methods_[raw(callee) - 1];
  const std::vector<Site>& sites = methods_[raw(caller) - 1].sites;
  return called.has_leaf_probe && raw(site) <= sites.size() &&
         sites[raw(site) - 1u].callee == signature_hash(called.name, called.descriptor);
}

void MethodTable::constructs(MethodId constructor, SiteOrdinal site,
                             std::string_view internal_class_name, std::string_view descriptor) {
  const std::lock_guard lock(mutex_);
  Method& method = methods_[raw(constructor) - 1];
  method.constructs_at = site;
  method.constructs = signature_hash(dotted(internal_class_name), descriptor);
}

bool MethodTable::constructs(MethodId caller, SiteOrdinal site, MethodId called) const {
  if (caller == kNoMethod || called == kNoMethod) return false;
  const std::lock_guard lock(mutex_);
  const Method& constructor = methods_[raw(caller) - 1];
  const Method& method = methods_[raw(called) - 1];
  return constructor.constructs != 0 && constructor.constructs_at == site &&
         method.name == "<init>" &&
         constructor.constructs ==
             signature_hash(classes_[raw(method.owner)].name, method.descriptor);
}

void MethodTable::skipped(std::string_view internal_class_name, std::string_view method,
                          std::string_view reason) {
  const std::lock_guard lock(mutex_);
  std::string key = joined(joined(internal_class_name, method), reason);
  if (skip_ids_.try_emplace(std::move(key), skips_.size()).second) {
    skips_.push_back({dotted(internal_class_name), std::string(method), std::string(reason)});
    skips_left_.fetch_add(1, std::memory_order_release);
  }
}

MethodId MethodTable::find_with_probes(std::uint64_t loader, std::string_view internal_class_name,
                                       std::string_view name, std::string_view descriptor) const {
  const std::lock_guard lock(mutex_);
  const ClassId* owner = find_class(loader, dotted(internal_class_name));
  if (owner == nullptr) return kNoMethod;
  const Class& type = classes_[raw(*owner)];
  const auto found = type.methods.find(joined(name, descriptor));
  if (found == type.methods.end()) return kNoMethod;
  const std::string signature = std::string(name) + std::string(descriptor);
  const bool is_skipped = std::any_of(skips_.begin(), skips_.end(), [&](const Skip& skip) {
    return skip.class_name == type.name && (skip.method.empty() || skip.method == signature);
  });
  return is_skipped ? kNoMethod : found->second;
}

void MethodTable::export_to(report::ProgramTables& tables) const {
  const std::lock_guard lock(mutex_);
  tables.methods.resize(1);
  tables.methods.reserve(methods_.size() + 1);
  for (const Method& method : methods_) {
    report::ProgramTables::Method& row = tables.methods.emplace_back(name_without_sites(method));
    row.sites.reserve(method.sites.size());
    for (const Site& site : method.sites) {
      row.sites.push_back({static_cast<std::int32_t>(site.bci), site.line});
    }
  }
  for (const Skip& skip : skips_) {
    tables.skipped.push_back({skip.class_name, skip.method, skip.reason});
  }
}

MethodName MethodTable::name_of(MethodId id) const {
  const std::lock_guard lock(mutex_);
  return name_without_sites(methods_[raw(id) - 1]);
}

MethodName MethodTable::name_without_sites(const Method& method) const {
  const Class& owner = classes_[raw(method.owner)];
  return {owner.name,   method.name, method.descriptor, owner.source,
          owner.loader, {},          owner.stable_name};
}

std::int32_t MethodTable::site_bci(MethodId method, SiteOrdinal site) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::int32_t>(methods_[raw(method) - 1].sites[raw(site) - 1u].bci);
}

SiteName MethodTable::site_name(MethodId method, SiteOrdinal site) const {
  const std::lock_guard lock(mutex_);
  if (raw(method) == 0 || raw(method) > methods_.size()) return {-1, -1};
  const std::vector<Site>& sites = methods_[raw(method) - 1].sites;
  if (site == kNoSite || raw(site) > sites.size()) return {-1, -1};
  const Site& found = sites[raw(site) - 1u];
  return {static_cast<std::int32_t>(found.bci), found.line};
}

void MethodTable::each_behind(std::size_t known, const EachName& tell) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = known; i < methods_.size(); ++i) {
    tell(classes_[raw(methods_[i].owner)].name, methods_[i].name, methods_[i].descriptor);
  }
}

void MethodTable::each_skipped(const EachName& tell) const {
  const std::lock_guard lock(mutex_);
  for (const Skip& skip : skips_) tell(skip.class_name, skip.method, skip.reason);
}

std::uint32_t MethodTable::site_count(MethodId method) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint32_t>(methods_[raw(method) - 1].sites.size());
}

void MethodTable::mark_changed(Method& method, MethodId id) {
  method.is_changed = true;
  changed_.push_back(id);
  // Release pairs with the acquire in take_new_names(): whoever got a packet with the new id after
  // this sees that there is something to take.
  any_changed_.store(true, std::memory_order_release);
}

std::vector<trace::NameRow> MethodTable::take_new_names() {
  std::vector<trace::NameRow> rows;
  if (!any_changed_.load(std::memory_order_acquire)) return rows;
  const std::lock_guard lock(mutex_);
  rows.reserve(changed_.size());
  for (const MethodId id : changed_) rows.push_back(take(methods_[raw(id) - 1], id));
  changed_.clear();
  any_changed_.store(false, std::memory_order_relaxed);
  return rows;
}

void MethodTable::forget_taken() {
  const std::lock_guard lock(mutex_);
  changed_.clear();
  for (std::size_t i = 0; i < methods_.size(); ++i) {
    methods_[i].is_taken = false;
    methods_[i].sites_taken = 0;
    mark_changed(methods_[i], MethodId{static_cast<std::uint32_t>(i + 1)});
  }
  skips_left_.store(skips_.size());
}

std::vector<trace::SkippedInfo> MethodTable::take_new_skips() {
  std::vector<trace::SkippedInfo> rows;
  if (skips_left_.load(std::memory_order_acquire) == 0) return rows;
  const std::lock_guard lock(mutex_);
  const std::size_t left = skips_left_.exchange(0, std::memory_order_relaxed);
  for (std::size_t i = skips_.size() - left; i < skips_.size(); ++i) {
    rows.push_back({skips_[i].class_name, skips_[i].method, skips_[i].reason});
  }
  return rows;
}

trace::NameRow MethodTable::take(Method& method, MethodId id) {
  trace::NameRow row{id, !method.is_taken, {}};
  if (row.is_new) row.name = name_without_sites(method);
  for (std::size_t i = method.sites_taken; i < method.sites.size(); ++i) {
    row.name.sites.push_back(
        {static_cast<std::int32_t>(method.sites[i].bci), method.sites[i].line});
  }
  method.is_taken = true;
  method.is_changed = false;
  method.sites_taken = method.sites.size();
  return row;
}

}  // namespace copse::jvm
