#include "agent/jvm/hotspot/native_trampoline.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>

#include "classfile/descriptor.h"

extern "C" {
// The routine that all trampolines jump to, and the probes that it calls.
void copse_native_trampoline() noexcept;
__attribute__((visibility("hidden"))) copse::jvm::TrampolineCalls copse_trampoline_calls;
}

#if defined(__x86_64__)

// r11 has the address of the NativeTrampoline. The frame, by distance below rbp:
//   8 to 48    arguments in integer registers
//   56 to 112  arguments in xmm registers
//   120, 128   result in rax and in xmm0
//   160        TrampolinedCall
asm(R"(
    .text
    .p2align 4
    .hidden copse_native_trampoline
    .globl copse_native_trampoline
    .type copse_native_trampoline, @function
copse_native_trampoline:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $160, %rsp
    movq %rdi, -8(%rbp)
    movq %rsi, -16(%rbp)
    movq %rdx, -24(%rbp)
    movq %rcx, -32(%rbp)
    movq %r8, -40(%rbp)
    movq %r9, -48(%rbp)
    movsd %xmm0, -56(%rbp)
    movsd %xmm1, -64(%rbp)
    movsd %xmm2, -72(%rbp)
    movsd %xmm3, -80(%rbp)
    movsd %xmm4, -88(%rbp)
    movsd %xmm5, -96(%rbp)
    movsd %xmm6, -104(%rbp)
    movsd %xmm7, -112(%rbp)
    movq %r11, -160(%rbp)
    leaq -160(%rbp), %rsi
    call *copse_trampoline_calls(%rip)
    testq %rax, %rax
    jz 3f
    movq -160(%rbp), %r11
    movq 8(%r11), %rcx
    testq %rcx, %rcx
    jz 2f
    leaq 1(%rcx), %rdx
    andq $-2, %rdx
    shlq $3, %rdx
    subq %rdx, %rsp
1:  movq 8(%rbp,%rcx,8), %rdx
    movq %rdx, -8(%rsp,%rcx,8)
    decq %rcx
    jnz 1b
2:  movq -8(%rbp), %rdi
    movq -16(%rbp), %rsi
    movq -24(%rbp), %rdx
    movq -32(%rbp), %rcx
    movq -40(%rbp), %r8
    movq -48(%rbp), %r9
    movsd -56(%rbp), %xmm0
    movsd -64(%rbp), %xmm1
    movsd -72(%rbp), %xmm2
    movsd -80(%rbp), %xmm3
    movsd -88(%rbp), %xmm4
    movsd -96(%rbp), %xmm5
    movsd -104(%rbp), %xmm6
    movsd -112(%rbp), %xmm7
    call *%rax
    leaq -160(%rbp), %rsp
    movq %rax, -120(%rbp)
    movsd %xmm0, -128(%rbp)
    movq -8(%rbp), %rdi
    leaq -160(%rbp), %rsi
    call *8+copse_trampoline_calls(%rip)
    movq -120(%rbp), %rax
    movsd -128(%rbp), %xmm0
    leave
    .cfi_remember_state
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_restore_state
3:  xorps %xmm0, %xmm0
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size copse_native_trampoline, . - copse_native_trampoline
)");

#elif defined(__aarch64__)

// x16 has the address of the NativeTrampoline. The frame, by distance above x29:
//   16 to 72   arguments in x registers
//   80 to 136  arguments in d registers
//   144        TrampolinedCall
//   168        function, later the result in x0
//   176        result in d0
asm(R"(
    .text
    .p2align 4
    .hidden copse_native_trampoline
    .globl copse_native_trampoline
    .type copse_native_trampoline, %function
copse_native_trampoline:
    .cfi_startproc
    stp x29, x30, [sp, #-192]!
    .cfi_def_cfa_offset 192
    .cfi_offset x29, -192
    .cfi_offset x30, -184
    mov x29, sp
    .cfi_def_cfa_register x29
    stp x0, x1, [x29, #16]
    stp x2, x3, [x29, #32]
    stp x4, x5, [x29, #48]
    stp x6, x7, [x29, #64]
    stp d0, d1, [x29, #80]
    stp d2, d3, [x29, #96]
    stp d4, d5, [x29, #112]
    stp d6, d7, [x29, #128]
    str x16, [x29, #144]
    add x1, x29, #144
    adrp x9, copse_trampoline_calls
    add x9, x9, :lo12:copse_trampoline_calls
    ldr x9, [x9]
    blr x9
    cbz x0, 3f
    str x0, [x29, #168]
    ldr x16, [x29, #144]
    ldr x10, [x16, #8]
    cbz x10, 2f
    add x11, x10, #1
    and x11, x11, #-2
    sub sp, sp, x11, lsl #3
    add x12, x29, #192
    mov x13, sp
1:  sub x10, x10, #1
    ldr x11, [x12, x10, lsl #3]
    str x11, [x13, x10, lsl #3]
    cbnz x10, 1b
2:  ldp x0, x1, [x29, #16]
    ldp x2, x3, [x29, #32]
    ldp x4, x5, [x29, #48]
    ldp x6, x7, [x29, #64]
    ldp d0, d1, [x29, #80]
    ldp d2, d3, [x29, #96]
    ldp d4, d5, [x29, #112]
    ldp d6, d7, [x29, #128]
    ldr x9, [x29, #168]
    blr x9
    mov sp, x29
    str x0, [x29, #168]
    str d0, [x29, #176]
    ldr x0, [x29, #16]
    add x1, x29, #144
    adrp x9, copse_trampoline_calls
    add x9, x9, :lo12:copse_trampoline_calls
    ldr x9, [x9, #8]
    blr x9
    ldr x0, [x29, #168]
    ldr d0, [x29, #176]
    ldp x29, x30, [sp], #192
    .cfi_remember_state
    .cfi_restore x30
    .cfi_restore x29
    .cfi_def_cfa sp, 0
    ret
    .cfi_restore_state
3:  fmov d0, xzr
    ldp x29, x30, [sp], #192
    .cfi_restore x30
    .cfi_restore x29
    .cfi_def_cfa sp, 0
    ret
    .cfi_endproc
    .size copse_native_trampoline, . - copse_native_trampoline
)");

#endif

namespace copse::jvm {
namespace {

static_assert(offsetof(NativeTrampoline, stack_words) == 8);
static_assert(offsetof(TrampolineCalls, leave) == 8);
static_assert(offsetof(TrampolinedCall, trampoline) == 0 && sizeof(TrampolinedCall) == 24);

// Number of registers for arguments. JNIEnv and the receiver, or class, take two of the integer ones.
struct Registers {
  std::uint64_t integer;
  std::uint64_t floating;
};

#if defined(__x86_64__)

constexpr bool kHasTrampolines = true;
constexpr Registers kRegisters{6, 8};
constexpr std::size_t kTrampolineBytes = 16;
constexpr auto kTrampolineCode = &copse_native_trampoline;

// Writes: load r11 from `row`; jump to the address at `target`.
void write_trampoline(std::byte* code, const std::byte* row, const std::byte* target) noexcept {
  constexpr std::ptrdiff_t kLoadBytes = 7, kJumpBytes = 6;
  const auto row_at = static_cast<std::int32_t>(row - (code + kLoadBytes));
  const auto target_at = static_cast<std::int32_t>(target - (code + kLoadBytes + kJumpBytes));
  constexpr unsigned char kLoad[] = {0x4C, 0x8B, 0x1D}, kJump[] = {0xFF, 0x25};
  std::memcpy(code, kLoad, sizeof kLoad);
  std::memcpy(code + sizeof kLoad, &row_at, sizeof row_at);
  std::memcpy(code + kLoadBytes, kJump, sizeof kJump);
  std::memcpy(code + kLoadBytes + sizeof kJump, &target_at, sizeof target_at);
}

#elif defined(__aarch64__)

constexpr bool kHasTrampolines = true;
constexpr Registers kRegisters{8, 8};
constexpr std::size_t kTrampolineBytes = 16;
constexpr auto kTrampolineCode = &copse_native_trampoline;

// Returns the instruction at `at` that loads register `to` from `where`.
std::uint32_t load_literal(std::uint32_t to, const std::byte* at, const std::byte* where) noexcept {
  constexpr std::uint32_t kLoad = 0x5800'0000, kOffsetMask = 0x7'FFFF;
  return kLoad | (static_cast<std::uint32_t>((where - at) / 4) & kOffsetMask) << 5 | to;
}

// Writes: load x16 from `row` and x17 from `target`; jump to x17.
void write_trampoline(std::byte* code, const std::byte* row, const std::byte* target) noexcept {
  constexpr std::uint32_t kJumpToX17 = 0xD61F'0220, kNothing = 0xD503'201F;
  const std::uint32_t instructions[] = {load_literal(16, code, row),
                                        load_literal(17, code + 4, target), kJumpToX17, kNothing};
  std::memcpy(code, instructions, sizeof instructions);
}

#else

constexpr bool kHasTrampolines = false;
constexpr Registers kRegisters{0, 0};
constexpr std::size_t kTrampolineBytes = 16;
constexpr void (*kTrampolineCode)() noexcept = nullptr;
void write_trampoline(std::byte*, const std::byte*, const std::byte*) noexcept {}

#endif

// A page of trampolines and, behind it, a table of pointers to their NativeTrampolines, which ends with the
// address of the common routine. All trampolines of a page are written before the page becomes executable,
// so no memory is writable and executable at once.
class TrampolinePage {
 public:
  // Maps a new page. Returns false if the system grants no memory, or none to execute.
  bool begin() noexcept;
  bool is_full() const noexcept { return used_ == trampolines_; }
  void* add(const NativeTrampoline* trampoline) noexcept {
    std::memcpy(code_ + size_ + used_ * sizeof trampoline, &trampoline, sizeof trampoline);
    return code_ + used_++ * kTrampolineBytes;
  }

 private:
  std::byte* code_ = nullptr;
  std::size_t size_ = 0;
  std::size_t trampolines_ = 0;
  std::size_t used_ = 0;
};

bool TrampolinePage::begin() noexcept {
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t trampolines = size / kTrampolineBytes;
  const std::size_t rows = (trampolines + 1) * sizeof(void*);
  const std::size_t all = size + (rows + size - 1) / size * size;
  void* const memory =
      ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  auto* const code = static_cast<std::byte*>(memory);
  std::byte* const target = code + size + trampolines * sizeof(void*);
  const auto jump_to = kTrampolineCode;
  std::memcpy(target, &jump_to, sizeof jump_to);
  for (std::size_t i = 0; i < trampolines; ++i) {
    write_trampoline(code + i * kTrampolineBytes, code + size + i * sizeof(void*), target);
  }
  __builtin___clear_cache(reinterpret_cast<char*>(code), reinterpret_cast<char*>(code + size));
  if (::mprotect(memory, size, PROT_READ | PROT_EXEC) != 0) {
    ::munmap(memory, all);
    return false;
  }
  code_ = code;
  size_ = size;
  trampolines_ = trampolines;
  used_ = 0;
  return true;
}

}  // namespace

bool has_native_trampolines() noexcept { return kHasTrampolines; }

std::uint64_t stack_words_of(std::string_view descriptor) noexcept {
  std::uint64_t integer = 2, floating = 0;
  classfile::DescriptorReader reader(descriptor);
  while (const auto parameter = reader.take_parameter()) {
    const bool is_floating = *parameter == "F" || *parameter == "D";
    ++(is_floating ? floating : integer);
  }
  const auto beyond = [](std::uint64_t count, std::uint64_t registers) {
    return count > registers ? count - registers : 0;
  };
  return beyond(integer, kRegisters.integer) + beyond(floating, kRegisters.floating);
}

void* make_native_trampoline(const NativeTrampoline& trampoline,
                             const TrampolineCalls& calls) noexcept {
  if constexpr (!kHasTrampolines) return nullptr;
  static std::mutex mutex;
  static TrampolinePage page;
  const std::lock_guard lock(mutex);
  if (page.is_full() && !page.begin()) return nullptr;
  copse_trampoline_calls = calls;
  return page.add(&trampoline);
}

}  // namespace copse::jvm
