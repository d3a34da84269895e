#include "graph/classes/class_hierarchy.h"

#include <algorithm>

namespace copse::graph {

ClassHierarchy::ClassHierarchy(std::vector<ClassCalls> classes) {
  for (ClassCalls& each : classes) {
    const std::uint32_t type = type_of(each.name);
    if (types_[type].in_classes >= 0) continue;
    types_[type].in_classes = static_cast<std::int64_t>(classes_.size());
    std::vector<std::string> above = each.interfaces;
    if (!each.super_name.empty()) above.insert(above.begin(), each.super_name);
    for (const std::string& name : above) {
      const std::uint32_t super = type_of(name);  // may move types_
      types_[type].supertypes.push_back(super);
      types_[super].subtypes.push_back(type);
    }
    for (std::uint32_t i = 0; i < each.methods.size(); ++i) {
      const classfile::MethodSummary& method = each.methods[i];
      if ((method.access & classfile::kAccAbstract) == 0)
        types_[type].methods.emplace(method.name + method.descriptor, i);
    }
    classes_.push_back(std::move(each));
  }
}

std::uint32_t ClassHierarchy::type_of(const std::string& name) {
  const auto [entry, is_new] =
      type_by_name_.emplace(name, static_cast<std::uint32_t>(types_.size()));
  if (is_new) types_.emplace_back();
  return entry->second;
}

bool ClassHierarchy::find_in(std::uint32_t type, const std::string& signature,
                             Method& found) const {
  const Type& at = types_[type];
  const auto declared = at.methods.find(signature);
  if (declared == at.methods.end()) return false;
  found = {static_cast<std::uint32_t>(at.in_classes), declared->second};
  return true;
}

// The types of a hostile class path need not form a tree: no type is looked at twice.
bool ClassHierarchy::find(std::uint32_t type, const std::string& signature, Method& found) const {
  std::vector<std::uint32_t> chain = {type};
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (find_in(chain[i], signature, found)) return true;
    const Type& at = types_[chain[i]];
    const bool is_class = at.in_classes >= 0 && !has(at.in_classes, classfile::kAccInterface);
    if (!is_class || at.supertypes.empty()) break;
    const std::uint32_t super = at.supertypes.front();
    if (std::find(chain.begin(), chain.end(), super) != chain.end()) break;
    chain.push_back(super);
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (find_in(chain[i], signature, found)) return true;
    for (const std::uint32_t super : types_[chain[i]].supertypes) {
      if (std::find(chain.begin(), chain.end(), super) == chain.end()) chain.push_back(super);
    }
  }
  return false;
}

std::vector<std::uint32_t> ClassHierarchy::with_subtypes(std::uint32_t type) const {
  std::vector<bool> seen(types_.size());
  std::vector<std::uint32_t> all = {type};
  seen[type] = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::uint32_t sub : types_[all[i]].subtypes) {
      if (!seen[sub]) all.push_back(sub);
      seen[sub] = true;
    }
  }
  return all;
}

const std::vector<ClassHierarchy::Method>& ClassHierarchy::targets(const StaticCall& call) {
  const std::string key =
      std::string(call.kind == CallKind::kVirtual ? "v" : "s") + call.owner + "." + call.signature;
  if (const auto known = targets_.find(key); known != targets_.end()) return known->second;
  std::vector<Method>& targets = targets_[key];
  const std::uint32_t owner = type_of(call.owner);
  Method resolved{};
  const bool has_own = find(owner, call.signature, resolved);
  if (call.kind != CallKind::kVirtual || (has_own && method(resolved).is_private())) {
    if (has_own) targets.push_back(resolved);
    return targets;
  }
  for (const std::uint32_t type : with_subtypes(owner)) {
    const std::int64_t in_classes = types_[type].in_classes;
    // Only what has instances is a receiver.
    if (in_classes < 0 || has(in_classes, classfile::kAccAbstract)) continue;
    Method selected{};
    if (!find(type, call.signature, selected) || method(selected).is_static()) continue;
    targets.push_back(selected);
  }
  const auto order = [](const Method& a, const Method& b) {
    return std::pair(a.in_class, a.index) < std::pair(b.in_class, b.index);
  };
  std::sort(targets.begin(), targets.end(), order);
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

bool ClassHierarchy::is_subtype(std::uint32_t which, const std::string& name) {
  const std::uint32_t wanted = type_of(name);
  std::vector<std::uint32_t> above = {type_of(classes_[which].name)};
  for (std::size_t i = 0; i < above.size(); ++i) {
    if (above[i] == wanted) return true;
    for (const std::uint32_t super : types_[above[i]].supertypes) {
      if (std::find(above.begin(), above.end(), super) == above.end()) above.push_back(super);
    }
  }
  return false;
}

}  // namespace copse::graph
