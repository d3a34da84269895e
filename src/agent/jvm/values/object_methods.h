// Finds the classes that declare the equals() and hashCode() of a class's objects.
//
// Reads the methods of the class and its superclasses. Asking JNI for a method would initialize the class, and
// wait while another thread does so.
//
// Called by: a Java thread. Cost: one or two JVMTI calls for each method of these classes.
#pragma once

#include <jvmti.h>

#include "ptql/plan/static_filter.h"

namespace copse::jvm {

// Returns java.lang.Object for an array; "" if the JVM cannot say.
ptql::ObjectMethods object_methods(jvmtiEnv* jvmti, JNIEnv* jni, jclass type);

}  // namespace copse::jvm
