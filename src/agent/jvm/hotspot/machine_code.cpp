#include "agent/jvm/hotspot/machine_code.h"

#include <jvmticmlr.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>

namespace copse::jvm {
namespace {

constexpr std::array kCodeEvents = {JVMTI_EVENT_COMPILED_METHOD_LOAD,
                                    JVMTI_EVENT_COMPILED_METHOD_UNLOAD};

std::uint64_t address_of(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

// Looks for the library that the address is in, and gives the range of its code.
struct OwnLibrary {
  std::uint64_t inside;
  std::uint64_t begin = 0, end = 0;
};

int look_at_library(dl_phdr_info* library, std::size_t, void* result) {
  auto& own = *static_cast<OwnLibrary*>(result);
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::uint64_t begin = library->dlpi_addr + segment.p_vaddr;
    if (own.inside < begin || own.inside >= begin + segment.p_memsz) continue;
    own.begin = begin;
    own.end = begin + segment.p_memsz;
    return 1;
  }
  return 0;
}

}  // namespace

MachineCode& MachineCode::of_process() {
  static auto* const only = new MachineCode();
  return *only;
}

// Reads the tables of one piece of code. Entries have most of their frames in common with the one before.
class MachineCode::ChainReader {
 public:
  ChainReader(const MachineCode& code, shadowstack::InlinedCalls& calls, JNIEnv* jni,
              RecordedMethods& recorded)
      : code_(code), calls_(calls), jni_(jni), recorded_(recorded) {}

  // Returns what the instructions of an entry are of. Its methods are those inlined there, innermost first.
  sampling::CompiledCode::Origin read(const PCStackInfo& entry) {
    const auto count = static_cast<std::size_t>(entry.numstackframes);
    std::size_t same = 0;
    while (same < std::min(frames_.size(), count)) {
      const std::size_t inner = count - 1 - same;
      if (frames_[same].method != entry.methods[inner] || frames_[same].bci != entry.bcis[inner])
        break;
      ++same;
    }
    frames_.resize(same);
    for (std::size_t inner = count - same; inner-- > 0;) {
      frames_.push_back(frame(entry.methods[inner], entry.bcis[inner]));
    }
    return frames_.empty() ? sampling::CompiledCode::Origin() : frames_.back().origin;
  }

 private:
  struct Frame {
    jmethodID method;
    jint bci;
    sampling::CompiledCode::Origin origin;
    // The innermost recorded method so far, and the call in it that leads further in.
    MethodId caller = kNoMethod;
    jint call = 0;
  };

  Frame frame(jmethodID method, jint bci) {
    const Frame outer = frames_.empty() ? Frame{} : frames_.back();
    Frame made{method, bci, outer.origin, outer.caller, outer.call};
    made.origin.is_own = outer.origin.is_own || code_.is_ours(method);
    if (made.origin.is_own) return made;
    const MethodId id = id_of(method);
    if (id == kNoMethod) return made;
    const SiteOrdinal site =
        outer.caller == kNoMethod
            ? kNoSite
            : code_.jvm_->methods.site_at(outer.caller, static_cast<std::uint32_t>(outer.call));
    made.origin.chain = calls_.with_call(outer.origin.chain, context_key(site, id));
    made.caller = id;
    made.call = bci;
    return made;
  }

  MethodId id_of(jmethodID method) {
    const auto [known, is_new] = ids_.try_emplace(method, kNoMethod);
    if (is_new) known->second = recorded_.id_of(jni_, method);
    return known->second;
  }

  const MachineCode& code_;
  shadowstack::InlinedCalls& calls_;
  JNIEnv* const jni_;
  RecordedMethods& recorded_;
  std::vector<Frame> frames_;  // of the last entry, outermost first
  std::unordered_map<jmethodID, MethodId> ids_;
};

Status MachineCode::start(JNIEnv* jni, JvmState& jvm, std::span<const jclass> runtime) {
  jvmtiEnv* const jvmti = jvm.jvmti;
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_compiled_method_load_events = 1;
  if (jvmti->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return Status::error(Fault::kUnsupported,
                         "measure cpu: this JVM does not tell of the code that it compiles");
  }
  if (methods_.empty()) {
    jvm_ = &jvm;
    jni->GetJavaVM(&vm_);
    if (Status status = find_own(jvmti, runtime); !status) return status;
    find_interpreter(jvmti);
  }
  {
    const std::lock_guard lock(recorded_mutex_);
    recorded_ = std::make_shared<RecordedMethods>(
        jvmti, jvm.methods,
        [&jvm](JNIEnv* each, jobject loader) { return jvm.loaders.identify(each, loader).id; });
  }
  compiled_.clear();
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
  agent_ = {own.begin, own.end};
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

std::shared_ptr<RecordedMethods> MachineCode::recorded() const {
  const std::lock_guard lock(recorded_mutex_);
  return recorded_;
}

// An entry of the details has the address of the last instruction that it is for, or the return address of a call.
void MachineCode::compiled(const Compiled& what) noexcept {
  const std::uint64_t begin = address_of(what.code);
  const std::uint64_t end = begin + static_cast<std::uint64_t>(what.bytes);
  try {
    sampling::CompiledCode::Piece piece(begin, end);
    const std::shared_ptr<RecordedMethods> recorded = this->recorded();
    if (is_ours(what.method)) {
      piece.add(end - 1, {.is_own = true});
      has_compiled_.store(true, std::memory_order_relaxed);
    } else if (void* jni = nullptr;
               recorded != nullptr && vm_->GetEnv(&jni, JNI_VERSION_10) == JNI_OK) {
      ChainReader reader(*this, piece.calls(), static_cast<JNIEnv*>(jni), *recorded);
      const auto* record = static_cast<const jvmtiCompiledMethodLoadRecordHeader*>(what.details);
      for (; record != nullptr; record = record->next) {
        if (record->kind != JVMTI_CMLR_INLINE_INFO) continue;
        const auto& inlined = *reinterpret_cast<const jvmtiCompiledMethodLoadInlineRecord*>(record);
        for (const PCStackInfo& entry :
             std::span(inlined.pcinfo, static_cast<std::size_t>(inlined.numpcs))) {
          const sampling::CompiledCode::Origin origin = reader.read(entry);
          piece.add(address_of(entry.pc), origin);
          if (origin.is_own) has_compiled_.store(true, std::memory_order_relaxed);
        }
      }
    }
    compiled_.put(std::move(piece));
  } catch (const std::bad_alloc&) {
  }
}

void MachineCode::dropped(const void* code) noexcept { compiled_.remove(address_of(code)); }

MachineCode::Place MachineCode::place_of(std::uint64_t address) const noexcept {
  const auto is_in = [address](const Range& range) {
    return address >= range.begin && address < range.end;
  };
  if (is_in(agent_)) return {CodeKind::kOwn, nullptr};
  if (is_in(interpreter_)) return {CodeKind::kJava, nullptr};
  const std::optional<sampling::CompiledCode::Place> compiled = compiled_.place_of(address);
  if (!compiled) return {CodeKind::kNative, nullptr};
  return {compiled->origin.is_own ? CodeKind::kOwn : CodeKind::kJava, compiled->calls,
          compiled->origin.chain};
}

}  // namespace copse::jvm
