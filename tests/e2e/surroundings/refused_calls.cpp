// refused_calls NAME[,NAME...] COMMAND [ARG...]: runs a command for which the system refuses these calls with EPERM, as a
// container's filter does. Status 77: no filter can be set here.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::pair<const char*, long> kCalls[] = {
    {"fallocate", SYS_fallocate}, {"flock", SYS_flock},
    {"getrandom", SYS_getrandom}, {"memfd_create", SYS_memfd_create},
    {"pidfd_open", 434},          {"signalfd4", SYS_signalfd4},
    {"statx", SYS_statx},         {"timer_create", SYS_timer_create}};

bool refuse(long number) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program{sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 77;
  std::istringstream names(words[1]);
  for (std::string name; std::getline(names, name, ',');) {
    bool is_known = false;
    for (const auto& [known, number] : kCalls) {
      if (name != known) continue;
      is_known = true;
      if (!refuse(number)) return 77;
    }
    if (!is_known) return 2;
  }
  execvp(words[2], words + 2);
  std::perror(words[2]);
  return 127;
}
