#include "agent/jvm/hotspot/own_stack.h"

#include <cstdlib>

#include "agent/jvm/jvm_names.h"

namespace copse::jvm {
namespace {

// JDKs from this one on were seen not to wait.
constexpr int kFirstJdkWithoutWait = 25;

thread_local bool t_moves = false;

}  // namespace

bool waits_for_moves(jvmtiEnv* jvmti) {
  return std::atoi(system_property(jvmti, "java.vm.specification.version").c_str()) <
         kFirstJdkWithoutWait;
}

void OwnStack::moves(bool begins) noexcept { t_moves = begins; }

bool OwnStack::can_be_read() noexcept { return !t_moves; }

}  // namespace copse::jvm
