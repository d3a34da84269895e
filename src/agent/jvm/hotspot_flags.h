// What the running JVM says of itself to debuggers: HotSpot's tables gHotSpotVMStructs and
// gHotSpotVMTypes, which libjvm exports.
#pragma once

#include <jni.h>

namespace copse::jvm {

// Whether objects move only while all threads that run Java code stand still, so that references lead
// such a thread to where its objects are. So it is with Serial, Parallel and G1, but not with ZGC and
// Shenandoah. False too where the JVM does not tell.
bool moves_objects_at_safepoints_alone(JavaVM* vm) noexcept;

}  // namespace copse::jvm
