#include "agent/jvm/hotspot/machine_code.h"

#include <jvmticmlr.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

namespace copse::jvm {
namespace {

constexpr std::array kCodeEvents = {JVMTI_EVENT_COMPILED_METHOD_LOAD,
                                    JVMTI_EVENT_COMPILED_METHOD_UNLOAD};

std::uint64_t address_of(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

// Looks for the library that the address is in, and gives the range of its code.
struct OwnLibrary {
  std::uint64_t inside;
  sampling::CodeRanges::Range code{};
};

int look_at_library(dl_phdr_info* library, std::size_t, void* result) {
  auto& own = *static_cast<OwnLibrary*>(result);
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::uint64_t begin = library->dlpi_addr + segment.p_vaddr;
    if (own.inside < begin || own.inside >= begin + segment.p_memsz) continue;
    own.code = {begin, begin + segment.p_memsz};
    return 1;
  }
  return 0;
}

}  // namespace

MachineCode& MachineCode::of_process() {
  static auto* const only = new MachineCode();
  return *only;
}

Status MachineCode::start(jvmtiEnv* jvmti, std::span<const jclass> runtime) {
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_compiled_method_load_events = 1;
  if (jvmti->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return Status::error(Fault::kUnsupported,
                         "measure cpu: this JVM does not tell of the code that it compiles");
  }
  if (methods_.empty()) {
    if (Status status = find_own(jvmti, runtime); !status) return status;
    find_interpreter(jvmti);
  }
  for (const jvmtiEvent event : kCodeEvents) {
    if (jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) {
      return Status::error(Fault::kUnsupported, "this JVM: refuses event " + std::to_string(event));
    }
  }
  // A recording before may have left compiled probes: those of the runtime classes' own methods. What
  // was inlined into the program's went when their classes were loaded again without probes.
  jvmti->GenerateEvents(JVMTI_EVENT_COMPILED_METHOD_LOAD);
  return {};
}

Status MachineCode::find_own(jvmtiEnv* jvmti, std::span<const jclass> runtime) {
  OwnLibrary own{address_of(reinterpret_cast<const void*>(&look_at_library))};
  ::dl_iterate_phdr(look_at_library, &own);
  agent_ = own.code;
  for (const jclass type : runtime) {
    jint count = 0;
    jmethodID* methods = nullptr;
    if (jvmti->GetClassMethods(type, &count, &methods) != JVMTI_ERROR_NONE) {
      return Status::error(Fault::kUnsupported, "this JVM: refuses the methods of a runtime class");
    }
    methods_.insert(methods, methods + count);
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(methods));
  }
  return {};
}

// The JVM has told of its interpreter before there was an agent, and tells again when it is asked to.
void MachineCode::find_interpreter(jvmtiEnv* jvmti) {
  constexpr jvmtiEvent kGenerated = JVMTI_EVENT_DYNAMIC_CODE_GENERATED;
  jvmti->SetEventNotificationMode(JVMTI_ENABLE, kGenerated, nullptr);
  jvmti->GenerateEvents(kGenerated);
  jvmti->SetEventNotificationMode(JVMTI_DISABLE, kGenerated, nullptr);
}

void MachineCode::generated(std::string_view name, const void* code, jint bytes) noexcept {
  if (name != "Interpreter") return;
  interpreter_ = {address_of(code), address_of(code) + static_cast<std::uint64_t>(bytes)};
}

void MachineCode::stop(jvmtiEnv* jvmti) noexcept {
  for (const jvmtiEvent event : kCodeEvents) {
    jvmti->SetEventNotificationMode(JVMTI_DISABLE, event, nullptr);
  }
}

void MachineCode::compiled(const Compiled& what) noexcept {
  const std::uint64_t begin = address_of(what.code);
  try {
    std::vector<Range> own = own_in(what);
    if (!own.empty()) has_compiled_.store(true, std::memory_order_relaxed);
    compiled_.put({begin, begin + static_cast<std::uint64_t>(what.bytes)}, std::move(own));
  } catch (const std::bad_alloc&) {
  }
}

void MachineCode::dropped(const void* code) noexcept { compiled_.remove(address_of(code)); }

CodeKind MachineCode::kind_of(std::uint64_t address) const noexcept {
  const auto is_in = [address](const Range& range) {
    return address >= range.begin && address < range.end;
  };
  if (is_in(agent_)) return CodeKind::kOwn;
  if (is_in(interpreter_)) return CodeKind::kJava;
  using Place = sampling::CodeRanges::Place;
  switch (compiled_.place_of(address)) {
    case Place::kOfInterest:
      return CodeKind::kOwn;
    case Place::kInPiece:
      return CodeKind::kJava;
    case Place::kElsewhere:
      break;
  }
  return CodeKind::kNative;
}

// An entry of the details has the address of the last instruction that it is for, or the return
// address of a call. Its methods are those inlined there, innermost first.
std::vector<MachineCode::Range> MachineCode::own_in(const Compiled& what) const {
  const std::uint64_t begin = address_of(what.code);
  if (is_ours(what.method)) return {{begin, begin + static_cast<std::uint64_t>(what.bytes)}};
  std::vector<sampling::CodeRanges::Entry> table;
  const auto* record = static_cast<const jvmtiCompiledMethodLoadRecordHeader*>(what.details);
  for (; record != nullptr; record = record->next) {
    if (record->kind != JVMTI_CMLR_INLINE_INFO) continue;
    const auto& inlined = *reinterpret_cast<const jvmtiCompiledMethodLoadInlineRecord*>(record);
    for (const PCStackInfo& entry :
         std::span(inlined.pcinfo, static_cast<std::size_t>(inlined.numpcs))) {
      const std::span methods(entry.methods, static_cast<std::size_t>(entry.numstackframes));
      const bool ours = std::any_of(methods.begin(), methods.end(),
                                    [this](jmethodID method) { return is_ours(method); });
      table.push_back({address_of(entry.pc), ours});
    }
  }
  return sampling::CodeRanges::of_table(begin, table);
}

}  // namespace copse::jvm
