// The classes on a class path: folders and jars, in its order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace copse::graph {

// "a.jar:classes" as java takes it; empty entries are left out.
std::vector<std::string> class_path_entries(std::string_view path);

// Shows every class file of an entry: `name` is its path there, "pkg/Outer$Inner.class", `bytes`
// die when `visit` returns. In order of their names. What a multi-release jar has for later
// releases, and module descriptors, are left out. An error, "PATH: why", when the entry or
// something in it cannot be read.
using ClassVisitor =
    std::function<void(const std::string& name, std::span<const std::uint8_t> bytes)>;
Status visit_classes(const std::string& entry, const ClassVisitor& visit);

}  // namespace copse::graph
