// A report written down node by node, for tests of code that reads a finished one.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/normal_names.h"
#include "report/model/report_model.h"

namespace copse::testing {

class SmallReport {
 public:
  SmallReport() {
    model.created_by = "copse test";
    add(-1, -1, -1, 0);
  }

  std::int32_t method(std::string class_name, std::string name, std::string descriptor = "()V",
                      std::string loader = "app") {
    report::ReportModel::Methods& methods = model.methods;
    methods.class_name.push_back(std::move(class_name));
    methods.name.push_back(std::move(name));
    methods.descriptor.push_back(std::move(descriptor));
    methods.source.emplace_back();
    methods.loader.push_back(std::move(loader));
    methods.stable_class.emplace_back();
    return static_cast<std::int32_t>(methods.name.size() - 1);
  }

  // Adds a method of a numbered class. The stable name of Foo$1 is Foo$* and `stable`, such as "~main~0123456789ab".
  std::int32_t numbered(const std::string& class_name, const std::string& stable, std::string name,
                        std::string descriptor = "()V") {
    const std::int32_t row = method(class_name, std::move(name), std::move(descriptor));
    model.methods.stable_class.back() = numberless_class(class_name) + stable;
    return row;
  }

  // Adds a node; nodes must come in pre-order. `line` -1: no call site.
  std::int32_t node(std::int32_t parent, std::int32_t method_row, std::int32_t line = -1,
                    std::int32_t bci = 0, std::uint64_t calls = 1) {
    std::int32_t site = -1;
    if (line >= 0) {
      site = static_cast<std::int32_t>(model.sites.method.size());
      model.sites.method.push_back(model.nodes.method[static_cast<std::size_t>(parent)]);
      model.sites.bci.push_back(bci);
      model.sites.line.push_back(line);
    }
    return add(parent, method_row, site, calls);
  }

  report::ReportModel model;

 private:
  std::int32_t add(std::int32_t parent, std::int32_t method_row, std::int32_t site,
                   std::uint64_t calls) {
    model.nodes.parent.push_back(parent);
    model.nodes.method.push_back(method_row);
    model.nodes.site.push_back(site);
    model.nodes.calls.push_back(calls);
    model.totals.calls = model.totals.calls_seen = model.totals.calls + calls;
    model.totals.contexts = model.nodes.parent.size() - 1;
    return static_cast<std::int32_t>(model.nodes.parent.size() - 1);
  }
};

}  // namespace copse::testing
