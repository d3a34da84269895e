#include "graph/classes/changed_methods.h"

#include <map>
#include <optional>
#include <utility>

#include "classfile/numbered_class.h"
#include "graph/classes/class_path.h"

namespace copse::graph {
namespace {

using Codes = std::map<ChangedMethod, std::string>;

// The first class of a name counts, as for java.
Result<Codes> codes_of(const std::string& path) {
  Codes codes;
  for (const std::string& entry : class_path_entries(path)) {
    Codes of_entry;
    std::string malformed;
    const Status visited = visit_classes(entry, [&](const std::string& name, auto bytes) {
      const std::optional<classfile::CodeOfClass> of_class = classfile::code_of_class(bytes);
      if (!of_class) {
        malformed = name;
        return;
      }
      for (const auto& method : of_class->methods) {
        of_entry.try_emplace({of_class->name, method.name, method.descriptor}, method.digits);
      }
    });
    if (!visited) return visited;
    if (!malformed.empty()) {
      return Status::error(Fault::kMalformed, entry + ": " + malformed + ": is no class file");
    }
    codes.merge(of_entry);
  }
  return codes;
}

}  // namespace

Result<std::set<ChangedMethod>> changed_methods(const std::string& old_path,
                                                const std::string& new_path) {
  const Result<Codes> before = codes_of(old_path);
  if (!before.ok()) return before.status();
  const Result<Codes> now = codes_of(new_path);
  if (!now.ok()) return now.status();
  std::set<ChangedMethod> changed;
  for (const auto& [method, code] : *before) {
    const auto found = now->find(method);
    if (found == now->end() || found->second != code) changed.insert(method);
  }
  return changed;
}

}  // namespace copse::graph
