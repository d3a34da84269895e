# Turns the runtime's class files into a header of byte arrays.
#   cmake -DCLASSES=DIR -DINLINE_CLASSES=DIR -DOUTPUT=FILE -P embed_classes.cmake
set(text "// Generated from src/agent/jvm/runtime.\n#pragma once\n\n#include <cstdint>\n\nnamespace copse {\n\n")
function(embed file name)
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  set(text "${text}inline constexpr std::uint8_t k${name}Bytes[] = {${bytes}};\n" PARENT_SCOPE)
endfunction()
embed("${CLASSES}/java/lang/CopseProbe.class" CopseProbe)
embed("${CLASSES}/copse/CopseNative.class" CopseNative)
embed("${INLINE_CLASSES}/java/lang/CopseProbe.class" InlineCopseProbe)
string(APPEND text "\n}  // namespace copse\n")
file(WRITE "${OUTPUT}" "${text}")
