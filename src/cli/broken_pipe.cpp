#include "cli/broken_pipe.h"

#include <csignal>

namespace copse::cli {
namespace {

bool g_ended_us = false;  // SIGPIPE did, before we ignored it

}  // namespace

SignalHandler take_signal(int signal, SignalHandler handler) noexcept {
  struct sigaction action {
  }, before{};
  action.sa_handler = handler;
  sigaction(signal, &action, &before);
  return before.sa_handler;
}

void ignore_broken_pipes() noexcept { g_ended_us = take_signal(SIGPIPE, SIG_IGN) == SIG_DFL; }

void restore_broken_pipes() noexcept {
  if (g_ended_us) take_signal(SIGPIPE, SIG_DFL);
}

void restore_broken_pipes(posix_spawnattr_t& attributes) noexcept {
  if (!g_ended_us) return;
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
}

}  // namespace copse::cli
