// The part of a class file that a call graph needs: its outline, and the call sites of its methods.
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
    bool locks = false;                  // is synchronized, or has synchronized blocks
    std::vector<StaticCall> calls = {};  // without invokedynamic and calls on arrays; by bci
  };

  std::string name;  // internal, like super_name and interfaces
  std::string super_name;
  std::vector<std::string> interfaces;
  bool is_interface = false;
  bool is_abstract = false;
  std::vector<Method> methods;
};

// Reads a class file. Accepts the class files in which the agent would put probes: the same reader
// numbers the call sites.
Result<ClassCalls> read_class_calls(std::span<const std::uint8_t> class_bytes);

}  // namespace copse::graph
