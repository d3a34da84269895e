# Turns the runtime's class files into a header of byte arrays, k<NAME>Bytes each.
#   cmake "-DCLASSES=NAME=FILE;NAME=FILE..." -DOUTPUT=FILE -P embed_classes.cmake
set(text "// Generated from the Java runtime classes.\n#pragma once\n\n#include <cstdint>\n\nnamespace copse {\n\n")
foreach(class IN LISTS CLASSES)
  string(REGEX MATCH "^([A-Za-z]+)=(.*)$" found "${class}")
  file(READ "${CMAKE_MATCH_2}" hex HEX)
  set(name "${CMAKE_MATCH_1}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND text "inline constexpr std::uint8_t k${name}Bytes[] = {${bytes}};\n")
endforeach()
string(APPEND text "\n}  // namespace copse\n")
file(WRITE "${OUTPUT}" "${text}")
