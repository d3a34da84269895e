// What of a class file a call graph needs: its outline, and the call sites of its methods.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace copse::graph {

enum class CallKind : std::uint8_t { kStatic, kSpecial, kVirtual };  // interfaces: kVirtual

struct StaticCall {
  std::int32_t bci;
  CallKind kind;
  std::string owner;      // internal name
  std::string signature;  // name and descriptor
};

struct ClassCalls {
  struct Method {
    std::string name;
    std::string descriptor;
    bool is_static = false;
    bool is_private = false;
    bool has_code = false;
    bool is_native = false;
    bool locks = false;                  // is synchronized, or has blocks that are
    std::vector<StaticCall> calls = {};  // without invokedynamic and calls on arrays; by bci
  };

  std::string name;  // internal, as the two below
  std::string super_name;
  std::vector<std::string> interfaces;
  bool is_interface = false;
  bool is_abstract = false;
  std::vector<Method> methods;
};

// Of bytes the agent would put probes in: call sites are numbered by the same reader.
Result<ClassCalls> read_class_calls(std::span<const std::uint8_t> class_bytes);

}  // namespace copse::graph
