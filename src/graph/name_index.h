// Ids by names: a method's by its class, name, descriptor and loader, a call site's by its method's
// id and its bytecode index. A name added twice keeps its first id.
//
// Text may be modified UTF-8, as class files spell it, or the form that reports make of that.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/program_names.h"

namespace copse::graph {

class NameIndex {
 public:
  // Returns the index of methods with ids from 1 on, and of their call sites.
  static NameIndex of(const std::vector<MethodName>& methods);

  // Adds a method without its call sites.
  void add(const MethodName& name, MethodId method);
  void add(MethodId method, std::int32_t bci, SiteOrdinal site);

  std::optional<MethodId> method(const MethodName& name) const;
  std::optional<SiteOrdinal> site(MethodId method, std::int32_t bci) const;

  // Calls visit(name, id) for every method. `name` has class, name, descriptor and loader alone, as
  // reports spell them.
  void for_each_method(const std::function<void(const MethodName&, MethodId)>& visit) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  static Key key(const MethodName& name);

  std::map<Key, MethodId> methods_;
  std::map<std::pair<MethodId, std::int32_t>, SiteOrdinal> sites_;
};

}  // namespace copse::graph
