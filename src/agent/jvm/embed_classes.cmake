# Turns the runtime's class files into a header of byte arrays.
#   cmake -DCLASSES=DIR -DOUTPUT=FILE -P embed_classes.cmake
set(text "// Generated from src/agent/jvm/runtime.\n#pragma once\n\n#include <cstdint>\n\nnamespace copse {\n\n")
foreach(class java/lang/CopseProbe copse/CopseNative)
  file(READ "${CLASSES}/${class}.class" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  get_filename_component(name ${class} NAME)
  string(APPEND text "inline constexpr std::uint8_t k${name}Bytes[] = {${bytes}};\n")
endforeach()
string(APPEND text "\n}  // namespace copse\n")
file(WRITE "${OUTPUT}" "${text}")
