#include "cli/own_signals.h"

#include <csignal>

namespace copse::cli {
namespace {

bool g_pipe_ended_us = false;     // SIGPIPE did, before we ignored it
bool g_children_ignored = false;  // SIGCHLD was, before we took it

}  // namespace

SignalHandler take_signal(int signal, SignalHandler handler) noexcept {
  struct sigaction action {
  }, before{};
  action.sa_handler = handler;
  sigaction(signal, &action, &before);
  return before.sa_handler;
}

void take_own_signals() noexcept {
  g_pipe_ended_us = take_signal(SIGPIPE, SIG_IGN) == SIG_DFL;
  g_children_ignored = take_signal(SIGCHLD, SIG_DFL) == SIG_IGN;
}

void give_signals_back() noexcept {
  if (g_pipe_ended_us) take_signal(SIGPIPE, SIG_DFL);
  if (g_children_ignored) take_signal(SIGCHLD, SIG_IGN);
}

void give_signals_back(posix_spawnattr_t& attributes) noexcept {
  if (!g_pipe_ended_us) return;
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
}

}  // namespace copse::cli
