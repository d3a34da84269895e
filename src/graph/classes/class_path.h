// The classes on a class path: folders and jars, in the order of the path.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace copse::graph {

// Returns the entries of "a.jar:classes", as java takes it, without empty ones.
std::vector<std::string> class_path_entries(std::string_view path);

// Calls visit(name, bytes) for every class file of an entry, in order of name. `name`: its path in
// the entry, "pkg/Outer$Inner.class". `bytes` are valid during the call. Leaves out module
// descriptors, and the classes of a multi-release jar for later releases. Returns the error "PATH:
// why" if the entry or something in it cannot be read.
using ClassVisitor =
    std::function<void(const std::string& name, std::span<const std::uint8_t> bytes)>;
Status visit_classes(const std::string& entry, const ClassVisitor& visit);

}  // namespace copse::graph
