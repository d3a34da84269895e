// Names behind the ids: what reports and recorded traces know of the program's methods.
// Text may be modified UTF-8, as class files spell it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace copse {

struct SiteName {
  std::int32_t bci = -1;   // of the call instruction in the original bytecode
  std::int32_t line = -1;  // -1: unknown
};

struct MethodName {
  std::string class_name;       // pkg.Outer$Inner
  std::string name;             // "<init>", "<clinit>" as the JVM spells them
  std::string descriptor;       // (ILjava/lang/String;)V
  std::string source;           // file name, "" when unknown
  std::string loader;           // "boot", "app", "platform", or the loader's class
  std::vector<SiteName> sites;  // site ordinal s is sites[s - 1]
  // Name of the class in every build, where its own has numbers (classfile/numbered_class.h); "" otherwise.
  std::string stable_class = {};
};

}  // namespace copse
