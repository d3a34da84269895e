// Names behind the ids, for reports and recorded traces. Text may be modified UTF-8, as class files
// spell it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace copse {

struct SiteName {
  std::int32_t bci = -1;   // index of the call instruction in the original bytecode; -1: unknown
  std::int32_t line = -1;  // -1: unknown
};

struct MethodName {
  std::string class_name;       // pkg.Outer$Inner
  std::string name;             // "<init>", "<clinit>" as the JVM spells them
  std::string descriptor;       // (ILjava/lang/String;)V
  std::string source;           // file name, "" when unknown
  std::string loader;           // "boot", "app", "platform", or the loader's class
  std::vector<SiteName> sites;  // site ordinal s is sites[s - 1]
  // The class's name in every build, if its own has numbers (classfile/numbered_class.h); else "".
  std::string stable_class = {};
};

}  // namespace copse
