// Two signals mean something of our own to this process, whatever they meant to who started it; programs that it starts
// keep that meaning.
//
// SIGPIPE: readers may close early, as in `copse ... | head -1`. Writes to them fail with EPIPE and do not end the process,
// which may have files to write and to remove. SIGCHLD: where it is ignored, the system forgets how a command has ended.
#pragma once

#include <spawn.h>

namespace copse::cli {

using SignalHandler = void (*)(int);
// Sets what a signal does, and returns what it did, like signal(). The JDK's libjsig.so complains of signal() where it
// is preloaded.
SignalHandler take_signal(int signal, SignalHandler handler) noexcept;

// Called by: main(), once.
void take_own_signals() noexcept;

// Restores the meaning at the start. Called by: a child that becomes another program.
void give_signals_back() noexcept;
// Does the same for posix_spawn(), which can ignore no signal: such a program sees how its own children end.
void give_signals_back(posix_spawnattr_t& attributes) noexcept;

}  // namespace copse::cli
