// Names that the JVM knows, as plain strings.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::jvm {

// Returns the path by which the JVM loaded this library; "" if the system cannot say.
std::string own_path();

// Returns the text in an object's field; "" for null, and if there is no memory for a copy.
std::string text_of(JNIEnv* jni, jobject object, jfieldID field);

// Returns the dotted class name of an object; "" if the JVM cannot say.
std::string class_name_of(jvmtiEnv* jvmti, JNIEnv* jni, jobject object);

// Returns the descriptor of a class's objects, Lpkg/Name; or [I; "" if the JVM cannot say.
std::string type_signature(jvmtiEnv* jvmti, jclass type);

// Returns a method's name without its class; "" if the JVM cannot say.
std::string method_name(jvmtiEnv* jvmti, jmethodID method);

// Returns the source line of a bytecode index; -1 if unknown.
jint line_at(jvmtiEnv* jvmti, jmethodID method, jlocation bci);

// Returns a class's name as class files spell it, pkg/Name; "" for arrays, and if the JVM cannot say.
std::string internal_name(jvmtiEnv* jvmti, jclass type);

// Returns pkg.Name for pkg/Name.
std::string dotted(std::string_view internal_name);

// Returns the names of a class's own methods; empty if the JVM cannot say.
std::vector<std::string> method_names(jvmtiEnv* jvmti, jclass type);

// Returns a system property; "" if it is not set. Callable from OnLoad on.
std::string system_property(jvmtiEnv* jvmti, const char* key);

// Returns the JVM's name and version.
std::string runtime_name(jvmtiEnv* jvmti);

// Returns the words of the process's command line, without what Copse put into it (command_words.h).
std::vector<std::string> command_line(std::uint64_t main_stack_bytes);

}  // namespace copse::jvm
