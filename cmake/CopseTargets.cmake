# Interface targets for warnings and sanitizers, and the functions every folder uses:
#   copse_add_library(NAME SOURCES... SMALL SOURCES...)
#                                                 static, position independent, alias copse::NAME; SMALL: sources
#                                                 compiled for size (copse_small), in batches of their own
#   copse_add_test(NAME LABEL kind SOURCES... LIBS...)   one GoogleTest program, labelled by kind; PLAIN:
#                                                 scripts/test runs it without sanitizers alone; THREADS: it runs under
#                                                 ThreadSanitizer too (label tsan), but for the tests that match a pattern of
#                                                 ONE_THREAD; NIGHTLY_THREADS: the same, nightly (label threads);
#                                                 NIGHTLY_SCALE n: NAME_nightly has n times as many random cases
#                                                 (tests/support/test_scale.h); ALONE: more sources, whose helpers have the
#                                                 names of others' (COPSE_UNITY)
#
# With COPSE_UNITY the compiler gets a folder's sources in batches, which saves half its time: headers are read once, and
# templates are made once. Sources of a folder then share what is in namespaces without a name. Tests have smaller
# batches, since their helpers have the same names more often.

set(CMAKE_UNITY_BUILD ${COPSE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)

add_library(copse_flags INTERFACE)
target_compile_features(copse_flags INTERFACE cxx_std_20)
target_compile_options(copse_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${COPSE_WERROR}>:-Werror>)
target_include_directories(copse_flags INTERFACE "${PROJECT_SOURCE_DIR}/src")
if(COPSE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Most of what the compiler allocates for a batch lives to its end. Not collecting garbage below 512 MiB saves a
  # tenth of the time.
  target_compile_options(copse_flags INTERFACE --param=ggc-min-heapsize=524288)
endif()
if(COPSE_SANITIZE)
  # Tests' own sources do without UBSan: it is to watch the product, and makes compiling a test a third slower.
  string(REPLACE "," ";" sanitizers "${COPSE_SANITIZE}")
  foreach(sanitizer IN LISTS sanitizers)
    set(unwanted "$<AND:$<STREQUAL:${sanitizer},undefined>,$<BOOL:$<TARGET_PROPERTY:COPSE_OF_TESTS>>>")
    target_compile_options(copse_flags INTERFACE $<$<NOT:${unwanted}>:-fsanitize=${sanitizer}>)
  endforeach()
  target_compile_options(copse_flags INTERFACE -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(NOT COPSE_BUILD_FUZZERS)
    # Checks of every pointer that is used take a quarter of the compiler's time. AddressSanitizer traps null; the fuzz
    # targets, over the same corpora, have these checks, too.
    target_compile_options(copse_flags INTERFACE -fno-sanitize=null,alignment,object-size)
  endif()
  if(COPSE_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Saves a quarter of the time to compile tests' own sources, in which only their own locals could be used after their scope.
    target_compile_options(copse_flags INTERFACE
      $<$<BOOL:$<TARGET_PROPERTY:COPSE_OF_TESTS>>:-fno-sanitize-address-use-after-scope>)
  endif()
  target_link_options(copse_flags INTERFACE -fsanitize=${COPSE_SANITIZE})
endif()

function(copse_add_library name)
  cmake_parse_arguments(arg "" "" "SMALL" ${ARGN})
  set(library copse_${name})
  set(parts ${library})
  if(arg_SMALL AND NOT COPSE_SANITIZE)
    add_library(${library}_small OBJECT ${arg_SMALL})
    target_compile_options(${library}_small PRIVATE ${copse_small})
    target_link_libraries(${library}_small PRIVATE $<TARGET_PROPERTY:${library},LINK_LIBRARIES>)
    target_include_directories(${library}_small PRIVATE $<TARGET_PROPERTY:${library},INCLUDE_DIRECTORIES>)
    list(APPEND parts ${library}_small)
    set(arg_SMALL $<TARGET_OBJECTS:${library}_small>)
  endif()
  add_library(${library} STATIC ${arg_UNPARSED_ARGUMENTS} ${arg_SMALL})
  add_library(copse::${name} ALIAS ${library})
  foreach(part IN LISTS parts)
    set_target_properties(${part} PROPERTIES POSITION_INDEPENDENT_CODE ON
                          CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_compile_options(${part} PRIVATE ${copse_sections})
    target_link_libraries(${part} PUBLIC copse_flags)
  endforeach()
endfunction()

# Test programs that need neither a JVM nor the command line, but for the property tests, which run
# the same code longer, and the plain ones.
add_custom_target(copse_tests)
# Those with the label tsan.
add_custom_target(copse_tsan_tests)

# Compiling GoogleTest's header and optimising its assertions is most of what compiling a test takes. Not with sanitizers:
# they watch what is not optimised away, which takes as long to compile and longer to run.
set(copse_test_options "")
if(NOT COPSE_SANITIZE)
  set(copse_test_options -O0)
endif()
function(copse_compile_fast target)
  if(NOT TARGET copse_test_headers)
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/test_headers.cpp" CONTENT "")
    add_library(copse_test_headers OBJECT "${CMAKE_BINARY_DIR}/test_headers.cpp")
    target_link_libraries(copse_test_headers PRIVATE copse_flags GTest::gtest)
    set_target_properties(copse_test_headers PROPERTIES COPSE_OF_TESTS ON)
    target_compile_options(copse_test_headers PRIVATE ${copse_test_options})
    target_precompile_headers(copse_test_headers PRIVATE <gtest/gtest.h> <map> <random> <thread>)
  endif()
  set_target_properties(${target} PROPERTIES COPSE_OF_TESTS ON)
  target_compile_options(${target} PRIVATE ${copse_test_options})
  target_precompile_headers(${target} REUSE_FROM copse_test_headers)
endfunction()

# A test program of copse_tests, whose test has the label sanitized. Every sanitizer's build has it. Continuous integration
# runs it there alone (COPSE_SANITIZED_TESTS=OFF).
function(copse_sanitize_too name)
  add_dependencies(copse_tests ${name})
  if(NOT COPSE_SANITIZED_TESTS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

function(copse_add_test name)
  cmake_parse_arguments(arg "PLAIN;THREADS;NIGHTLY_THREADS" "LABEL;TIMEOUT;NIGHTLY_SCALE" "SOURCES;ALONE;ONE_THREAD;LIBS" ${ARGN})
  add_executable(${name} ${arg_SOURCES} ${arg_ALONE})
  set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")  # support/
  target_link_libraries(${name} PRIVATE copse_flags ${arg_LIBS} GTest::gtest_main)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  if(arg_LABEL MATCHES "unit|golden")
    copse_compile_fast(${name})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  if(arg_NIGHTLY_SCALE)
    add_test(NAME ${name}_nightly COMMAND ${name})
    set_tests_properties(${name}_nightly PROPERTIES
      LABELS nightly TIMEOUT 14400 ENVIRONMENT COPSE_TEST_SCALE=${arg_NIGHTLY_SCALE})
  endif()
  if(NOT arg_PLAIN AND NOT arg_LABEL STREQUAL "property")
    copse_sanitize_too(${name})
    list(APPEND arg_LABEL sanitized)
  endif()
  if(arg_PLAIN)
    list(APPEND arg_LABEL plain)
  endif()
  if(arg_THREADS)
    list(APPEND arg_LABEL tsan)
    add_dependencies(copse_tsan_tests ${name})
  elseif(arg_NIGHTLY_THREADS)
    list(APPEND arg_LABEL threads)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABEL}" TIMEOUT ${arg_TIMEOUT})
  if(arg_ONE_THREAD AND COPSE_SANITIZE STREQUAL "thread")
    list(JOIN arg_ONE_THREAD ":" patterns)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "GTEST_FILTER=-${patterns}")
  endif()
endfunction()
