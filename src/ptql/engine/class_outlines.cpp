#include "ptql/engine/class_outlines.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/java_type.h"

namespace copse::ptql {

using classfile::ClassSummary;
using classfile::MethodSummary;

namespace {

bool declares(const ClassSummary& outline, const MethodSummary& method) {
  return std::any_of(outline.methods.begin(), outline.methods.end(),
                     [&method](const MethodSummary& other) {
                       return !other.is_private() && !other.is_static() &&
                              other.name == method.name && other.descriptor == method.descriptor;
                     });
}

std::string dotted(std::string name) {
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

std::uint32_t parameter_count(std::string_view descriptor) {
  std::uint32_t count = 0;
  if (!descriptor.empty()) descriptor.remove_prefix(1);
  while (!descriptor.empty() && descriptor.front() != ')' && !take_java_type(descriptor).empty()) {
    ++count;
  }
  return count;
}

}  // namespace

ClassOutlines::ClassOutlines() {
  add({"java/lang/Object",
       "",
       {},
       {{"equals", "(Ljava/lang/Object;)Z"},
        {"hashCode", "()I"},
        {"toString", "()Ljava/lang/String;"},
        {"clone", "()Ljava/lang/Object;"},
        {"finalize", "()V"}}});
}

void ClassOutlines::add(ClassSummary outline) {
  if (by_name_.emplace(outline.name, outlines_.size()).second) {
    outlines_.push_back(std::move(outline));
  }
}

const ClassSummary* ClassOutlines::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &outlines_[found->second];
}

// Interfaces of a class and its superclasses, in their order; each before those it extends.
const ClassSummary* ClassOutlines::top_interface(const ClassSummary& of,
                                                 const MethodSummary& method, bool& certain) const {
  std::vector<std::string> pending;
  std::unordered_set<std::string> seen;
  const auto add_interfaces = [&pending](const ClassSummary& outline) {
    pending.insert(pending.end(), outline.interfaces.rbegin(), outline.interfaces.rend());
  };
  // A class file can claim to be above itself.
  std::vector<const ClassSummary*> classes;
  for (const ClassSummary* one = &of; one != nullptr && seen.insert(one->name).second;
       one = find(one->super_name)) {
    classes.push_back(one);
  }
  for (auto one = classes.rbegin(); one != classes.rend(); ++one) add_interfaces(**one);
  const ClassSummary* top = nullptr;
  while (!pending.empty()) {
    const std::string name = std::move(pending.back());
    pending.pop_back();
    if (!seen.insert(name).second) continue;
    const ClassSummary* interface = find(name);
    if (interface == nullptr) {
      certain = false;
      continue;
    }
    const bool above_top =
        top == nullptr ||
        std::find(top->interfaces.begin(), top->interfaces.end(), name) != top->interfaces.end();
    if (declares(*interface, method) && above_top) top = interface;
    add_interfaces(*interface);
  }
  return top;
}

MethodFacts ClassOutlines::facts(const ClassSummary& of, const MethodSummary& method,
                                 bool& certain) const {
  certain = true;
  const ClassSummary* first = &of;
  if (!method.is_static() && !method.is_private() && method.name != "<init>") {
    std::unordered_set<std::string> seen{of.name};
    for (std::string name = of.super_name; !name.empty() && seen.insert(name).second;) {
      const ClassSummary* above = find(name);
      if (above == nullptr) {
        certain = false;
        break;
      }
      if (declares(*above, method)) first = above;
      name = above->super_name;
    }
    if (const ClassSummary* interface = top_interface(*first, method, certain)) first = interface;
  }
  return {method.name,        dotted(first->name),
          dotted(of.name),    parameter_count(method.descriptor),
          method.is_static(), method.descriptor.ends_with(")V")};
}

}  // namespace copse::ptql
