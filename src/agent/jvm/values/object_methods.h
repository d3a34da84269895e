// Which classes have the equals() and hashCode() of a class's objects.
//
// Read off the methods of the class and those above it: to ask JNI for a method would initialise the
// class, and wait where another thread does.
// Called by: a Java thread. Cost: a JVMTI call or two for each method of these classes.
#pragma once

#include <jvmti.h>

#include "ptql/plan/static_filter.h"

namespace copse::jvm {

// Those of java.lang.Object for an array. "" where the JVM cannot say.
ptql::ObjectMethods object_methods(jvmtiEnv* jvmti, JNIEnv* jni, jclass type);

}  // namespace copse::jvm
