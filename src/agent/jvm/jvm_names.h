// Small questions to the JVM, answered as plain strings.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::jvm {

// The thread's name now; "" when the JVM cannot say.
std::string thread_name(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread);

// The dotted class name of an object; "" when the JVM cannot say.
std::string class_name_of(jvmtiEnv* jvmti, JNIEnv* jni, jobject object);

// The descriptor of a class's objects, Lpkg/Name; or [I; "" when the JVM cannot say.
std::string type_signature(jvmtiEnv* jvmti, jclass type);

// A method's name without its class; "" when the JVM cannot say.
std::string method_name(jvmtiEnv* jvmti, jmethodID method);

// The source line of a bytecode index; -1 when it is not known.
jint line_at(jvmtiEnv* jvmti, jmethodID method, jlocation bci);

// A class's name as class files spell it, pkg/Name; "" for arrays and when the JVM cannot say.
std::string internal_name(jvmtiEnv* jvmti, jclass type);

// pkg.Name for pkg/Name.
std::string dotted(std::string_view internal_name);

// The names of a class's own methods; none when the JVM cannot say.
std::vector<std::string> method_names(jvmtiEnv* jvmti, jclass type);

// A system property; "" when it is not set. Callable from OnLoad on.
std::string system_property(jvmtiEnv* jvmti, const char* key);

// The JVM's name and version.
std::string runtime_name(jvmtiEnv* jvmti);

// The process's command line, word by word, without what Copse put into it (command_words.h).
std::vector<std::string> command_line(std::uint64_t main_stack_bytes);

}  // namespace copse::jvm
