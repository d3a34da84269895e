// The tree of the reference agent: as plain as it can be, so that it can be trusted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace reference {

struct Method {
  std::string class_name;  // pkg.Outer$Inner
  std::string name;
  std::string descriptor;

  auto operator<=>(const Method&) const = default;
};

// A call: the caller's bytecode index (-1: no call instruction there) and the callee.
using Call = std::pair<std::int64_t, Method>;

struct Node {
  std::uint64_t calls = 0;
  const Method* method = nullptr;  // the key's own, null for ROOT
  std::map<Call, std::unique_ptr<Node>> children;
};

// The child of `parent` for this call, made when it is the first; counts it.
Node* count_call(Node& parent, std::int64_t bci, const Method& method);

// Writes the columns `methods`, `sites` and `nodes` of a report. False: `path` could not
// be written.
bool write_json(const Node& root, const std::string& path);

}  // namespace reference
