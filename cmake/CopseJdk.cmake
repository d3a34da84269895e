# JVMTI headers from the JDK whose javac is on the PATH. CMake's FindJNI knows neither Debian's
# versioned folders nor that a headless JDK has no AWT library.
if(NOT JAVA_HOME AND NOT DEFINED ENV{JAVA_HOME})
  find_program(COPSE_JAVAC javac)
  if(COPSE_JAVAC)
    file(REAL_PATH "${COPSE_JAVAC}" copse_javac)
    cmake_path(GET copse_javac PARENT_PATH copse_jdk)
    cmake_path(GET copse_jdk PARENT_PATH copse_jdk)
    set(JAVA_HOME "${copse_jdk}")
  endif()
endif()
find_package(JNI QUIET COMPONENTS JVM)

# Options of the JDK's tools, which compile or pack a few files and end before C2 and G1 would pay.
set(copse_short_lived -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC)
