// Has one allocation of the agent fail, as where a process's memory is used up: put before a JVM with LD_PRELOAD. The
// variable COPSE_TEST_FAIL_AT has its number, from 1. COPSE_TEST_ALLOCATIONS names a file that gets how many there were.
#include <link.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" void* __libc_malloc(std::size_t bytes);

namespace {

std::atomic<std::uintptr_t> agent_begin{0}, agent_end{0};
std::atomic<std::uint64_t> allocations{0};
std::uint64_t fail_at = 0;
const char* told = nullptr;

__attribute__((constructor)) void read_variables() {
  const char* const number = std::getenv("COPSE_TEST_FAIL_AT");
  if (number != nullptr) fail_at = std::strtoull(number, nullptr, 10);
  told = std::getenv("COPSE_TEST_ALLOCATIONS");
}

__attribute__((destructor)) void tell() {
  if (told == nullptr || allocations.load() == 0) return;
  if (std::FILE* const file = std::fopen(told, "w"); file != nullptr) {
    std::fprintf(file, "%llu\n", static_cast<unsigned long long>(allocations.load()));
    std::fclose(file);
  }
}

int look_at(dl_phdr_info* library, std::size_t, void*) {
  if (std::strstr(library->dlpi_name, "/libcopse.so") == nullptr) return 0;
  std::uintptr_t end = 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = library->dlpi_phdr[i];
    if (part.p_type == PT_LOAD && part.p_vaddr + part.p_memsz > end)
      end = part.p_vaddr + part.p_memsz;
  }
  agent_end.store(library->dlpi_addr + end);
  agent_begin.store(library->dlpi_addr);
  return 1;
}

}  // namespace

extern "C" void* malloc(std::size_t bytes) {
  if (fail_at != 0) {
    const auto caller = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    static thread_local bool looks = false;
    if (agent_begin.load() == 0 && !looks) {
      looks = true;
      dl_iterate_phdr(look_at, nullptr);
      looks = false;
    }
    if (caller >= agent_begin.load() && caller < agent_end.load() && agent_begin.load() != 0 &&
        ++allocations == fail_at) {
      return nullptr;
    }
  }
  return __libc_malloc(bytes);
}
