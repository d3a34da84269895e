// The one agent of this JVM and the event entries that lead to it.
#pragma once

#include <jvmti.h>

namespace copse::jvm {

class JvmAgent;

jvmtiEventCallbacks agent_callbacks();
// Before any event is enabled; the agent of a later recording takes the place of the one before.
void install_agent(JvmAgent* agent);
bool agent_installed();

}  // namespace copse::jvm
