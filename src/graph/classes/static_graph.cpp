#include "graph/classes/static_graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "graph/classes/class_hierarchy.h"

namespace copse::graph {
namespace {

class GraphMaker {
 public:
  GraphMaker(std::vector<ClassCalls> classes, const std::string& loader)
      : hierarchy_(std::move(classes)), loader_(loader) {}

  NamedGraph make() {
    for (std::uint32_t c = 0; c < hierarchy_.classes().size(); ++c) {
      for (std::uint32_t m = 0; m < hierarchy_.classes()[c].methods.size(); ++m) add({c, m});
    }
    return std::move(graph_);
  }

 private:
  using Method = ClassHierarchy::Method;

  void add(Method caller) {
    if (is_entry(caller)) graph_.edges.push_back({-1, -1, number_of(caller), 0});
    for (const StaticCall& call : hierarchy_.classes()[caller.in_class].calls[caller.index]) {
      const std::vector<Method>& targets = hierarchy_.targets(call);
      if (targets.empty()) continue;
      const std::int32_t from = number_of(caller);
      graph_.sites.method.push_back(from);
      graph_.sites.bci.push_back(call.bci);
      graph_.sites.line.push_back(-1);
      const auto site = static_cast<std::int32_t>(graph_.sites.method.size() - 1);
      for (const Method target : targets) {
        graph_.edges.push_back({from, site, number_of(target), 0});
      }
    }
  }

  bool is_entry(Method method) {
    const classfile::MethodSummary& about = hierarchy_.method(method);
    if ((about.access & classfile::kAccAbstract) != 0) return false;
    if (about.is_static()) {
      return about.name == "main" && about.descriptor == "([Ljava/lang/String;)V";
    }
    return about.name == "run" && about.descriptor == "()V" &&
           (hierarchy_.is_subtype(method.in_class, "java/lang/Runnable") ||
            hierarchy_.is_subtype(method.in_class, "java/lang/Thread"));
  }

  std::int32_t number_of(Method method) {
    report::ReportModel::Methods& names = graph_.methods;
    const auto [entry, is_new] = numbers_.try_emplace({method.in_class, method.index},
                                                      static_cast<std::int32_t>(names.name.size()));
    if (is_new) {
      const ClassCalls& owner = hierarchy_.classes()[method.in_class];
      std::string class_name = owner.name;
      std::replace(class_name.begin(), class_name.end(), '/', '.');
      names.class_name.push_back(std::move(class_name));
      names.name.push_back(owner.methods[method.index].name);
      names.descriptor.push_back(owner.methods[method.index].descriptor);
      names.source.emplace_back();
      names.loader.push_back(loader_);
    }
    return entry->second;
  }

  ClassHierarchy hierarchy_;
  const std::string& loader_;
  NamedGraph graph_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> numbers_;
};

}  // namespace

NamedGraph static_graph(std::vector<ClassCalls> classes, const std::string& loader) {
  return GraphMaker(std::move(classes), loader).make();
}

}  // namespace copse::graph
