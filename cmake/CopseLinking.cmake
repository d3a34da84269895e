# How the agent and the command are linked: so that they need nothing of a machine but glibc, export what they must, and
# leave out what they do not use.
#   copse_link_for_any_machine(TARGET SYMBOL...)   SYMBOLs are all that TARGET exports
#   copse_fold_functions(TARGET)                   keeps one of functions with equal code, where there is a linker that can
#   copse_add_archive(NAME ARCHIVE OTHERWISE)      copse::NAME, a package's archive; OTHERWISE where it has none

# Functions and data in sections of their own, which the linker can leave out.
set(copse_sections "")
if(NOT COPSE_SANITIZE)
  set(copse_sections -ffunction-sections -fdata-sections)
endif()

# For code that runs a few times in a command: it is to be small rather than fast.
set(copse_small $<$<CONFIG:RelWithDebInfo,Release>:-Os>)

function(copse_add_archive name archive otherwise)
  find_library(COPSE_${name}_ARCHIVE ${archive})
  add_library(copse_${name}_package INTERFACE)
  add_library(copse::${name} ALIAS copse_${name}_package)
  if(COPSE_${name}_ARCHIVE)
    target_link_libraries(copse_${name}_package INTERFACE "${COPSE_${name}_ARCHIVE}")
  else()
    target_link_libraries(copse_${name}_package INTERFACE ${otherwise})
  endif()
endfunction()

# Old versions of glibc's functions (old_glibc.c), where the build has a glibc that knows them.
set(copse_has_old_glibc OFF)
if(NOT COPSE_SANITIZE AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  include(CheckSymbolExists)
  set(CMAKE_REQUIRED_DEFINITIONS -D_GNU_SOURCE)
  check_symbol_exists(arc4random stdlib.h COPSE_GLIBC_2_36)
  unset(CMAKE_REQUIRED_DEFINITIONS)
  set(copse_has_old_glibc ${COPSE_GLIBC_2_36})
endif()
if(copse_has_old_glibc)
  foreach(part old_glibc old_glibc_start)
    add_library(copse_${part} OBJECT "${CMAKE_CURRENT_LIST_DIR}/${part}.c")
    set_target_properties(copse_${part} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
    target_compile_options(copse_${part} PRIVATE -Wall -Wextra -fno-builtin -ffunction-sections)
  endforeach()
endif()

function(copse_link_for_any_machine target)
  if(COPSE_SANITIZE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES COPSE_LOADS_POOL ON)
  add_dependencies(${target} copse_parallel)
  list(JOIN ARGN "; " symbols)
  if(symbols)
    string(PREPEND symbols "global: ")
    string(APPEND symbols "; ")
  endif()
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${target}.map")
  file(CONFIGURE OUTPUT "${script}" CONTENT "{ ${symbols}local: *; };\n")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")
  target_compile_options(${target} PRIVATE ${copse_sections})
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,-O1
    -Wl,--exclude-libs,ALL "-Wl,--version-script=${script}")
  if(copse_has_old_glibc)
    target_link_libraries(${target} PRIVATE copse_old_glibc)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      target_link_libraries(${target} PRIVATE copse_old_glibc_start)
    endif()
    # Where an older glibc has the functions that moved.
    target_link_libraries(${target} PRIVATE
      -Wl,--push-state,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 -l:librt.so.1 -Wl,--pop-state)
  endif()
endfunction()

# Templates for types of one size have equal code: 3 % of the command. Functions whose address is taken stay apart (safe).
include(CheckLinkerFlag)
check_linker_flag(CXX "-fuse-ld=gold" COPSE_HAS_GOLD)

function(copse_fold_functions target)
  if(COPSE_HAS_GOLD AND NOT COPSE_SANITIZE)
    target_link_options(${target} PRIVATE -fuse-ld=gold -Wl,--icf=safe,--rosegment,-z,relro)
  endif()
endfunction()
