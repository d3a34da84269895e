# Turns the library of checks into a header of byte arrays and a table of them, in the order of their names.
#   cmake "-DCHECKS=FILE;FILE..." -DOUTPUT=FILE -P embed_checks.cmake
set(arrays "")
set(rows "")
foreach(file IN LISTS CHECKS)
  get_filename_component(name "${file}" NAME_WE)
  string(REPLACE "-" "_" identifier "${name}")
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "inline constexpr unsigned char ${identifier}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${name}\", ${identifier}, sizeof ${identifier}},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Generated from checks/*.ptql.
#pragma once

#include <cstddef>

namespace copse::ptql::embedded {

${arrays}
struct EmbeddedCheck {
  const char* name;
  const unsigned char* bytes;
  std::size_t size;
};
inline constexpr EmbeddedCheck kChecks[] = {
${rows}};

}  // namespace copse::ptql::embedded
")
