#include "reference_tree.h"

#include <cstdio>
#include <fstream>
#include <string_view>

namespace reference {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void write_column(std::ostream& out, std::string_view name, const std::vector<std::string>& values,
                  bool last = false) {
  out << quoted(name) << ":[";
  for (std::size_t i = 0; i < values.size(); ++i) out << (i == 0 ? "" : ",") << values[i];
  out << (last ? "]" : "],\n");
}

// Rows in pre-order; an explicit stack, for trees are deeper than the machine's.
class Columns {
 public:
  explicit Columns(const Node& root) {
    struct Pending {
      const Node* node;
      std::int64_t parent_row, parent_method, bci;
    };
    std::vector<Pending> pending = {{&root, -1, -1, -1}};
    while (!pending.empty()) {
      const Pending next = pending.back();
      pending.pop_back();
      const auto row = static_cast<std::int64_t>(parents.size());
      const std::int64_t method = next.node->method ? method_index(*next.node->method) : -1;
      parents.push_back(std::to_string(next.parent_row));
      methods.push_back(std::to_string(method));
      sites.push_back(std::to_string(site_index(next.parent_method, next.bci)));
      calls.push_back(std::to_string(next.node->calls));
      const auto& children = next.node->children;
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        pending.push_back({child->second.get(), row, method, child->first.first});
      }
    }
  }

  std::vector<std::string> parents, methods, sites, calls;
  std::vector<std::string> class_names, names, descriptors;
  std::vector<std::string> site_methods, site_bcis;

 private:
  std::int64_t method_index(const Method& method) {
    const auto [entry, added] = method_ids_.try_emplace(method, class_names.size());
    if (added) {
      class_names.push_back(quoted(method.class_name));
      names.push_back(quoted(method.name));
      descriptors.push_back(quoted(method.descriptor));
    }
    return static_cast<std::int64_t>(entry->second);
  }

  std::int64_t site_index(std::int64_t caller, std::int64_t bci) {
    if (caller < 0 || bci < 0) return -1;
    const auto [entry, added] = site_ids_.try_emplace({caller, bci}, site_bcis.size());
    if (added) {
      site_methods.push_back(std::to_string(caller));
      site_bcis.push_back(std::to_string(bci));
    }
    return static_cast<std::int64_t>(entry->second);
  }

  std::map<Method, std::size_t> method_ids_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> site_ids_;
};

}  // namespace

Node* count_call(Node& parent, std::int64_t bci, const Method& method) {
  const auto [entry, added] = parent.children.try_emplace(Call(bci, method));
  if (added) {
    entry->second = std::make_unique<Node>();
    entry->second->method = &entry->first.second;
  }
  ++entry->second->calls;
  return entry->second.get();
}

bool write_json(const Node& root, const std::string& path) {
  const Columns columns(root);
  std::ofstream out(path);
  out << "{\"schema\":\"copse.reference/1\",\n\"methods\":{";
  write_column(out, "class", columns.class_names);
  write_column(out, "name", columns.names);
  write_column(out, "descriptor", columns.descriptors, true);
  out << "},\n\"sites\":{";
  write_column(out, "method", columns.site_methods);
  write_column(out, "bci", columns.site_bcis, true);
  out << "},\n\"nodes\":{";
  write_column(out, "parent", columns.parents);
  write_column(out, "method", columns.methods);
  write_column(out, "site", columns.sites);
  write_column(out, "calls", columns.calls, true);
  out << "}}\n";
  out.close();
  return out.good();
}

}  // namespace reference
