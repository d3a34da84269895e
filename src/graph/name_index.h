// Ids by names: of a method by its class, name, descriptor and loader, of a call site by its
// method's id and its bytecode index. What is added twice keeps its first id.
//
// Text may be modified UTF-8, as class files spell it, or what reports make of that.
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
  // Of methods with ids from 1 on, and their call sites.
  static NameIndex of(const std::vector<MethodName>& methods);

  // Without its call sites.
  void add(const MethodName& name, MethodId method);
  void add(MethodId method, std::int32_t bci, SiteOrdinal site);

  std::optional<MethodId> method(const MethodName& name) const;
  std::optional<SiteOrdinal> site(MethodId method, std::int32_t bci) const;

  // With no more than class, name, descriptor and loader; as reports spell them.
  void for_each_method(const std::function<void(const MethodName&, MethodId)>& visit) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  static Key key(const MethodName& name);

  std::map<Key, MethodId> methods_;
  std::map<std::pair<MethodId, std::int32_t>, SiteOrdinal> sites_;
};

}  // namespace copse::graph
