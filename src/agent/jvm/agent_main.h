// The one agent of this JVM and the event entries that lead to it.
#pragma once

#include <jvmti.h>

namespace copse::jvm {

class JvmAgent;

jvmtiEventCallbacks agent_callbacks();
// Installs the agent. REQUIRES: no event is enabled. The agent of a later recording replaces the earlier one.
void install_agent(JavaVM* vm, JvmAgent* agent);
bool agent_installed();

}  // namespace copse::jvm
