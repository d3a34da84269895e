// The reference of processor time: samples of a program that has no probes.
//
// Each thread has a timer on its own processor time. Its signal asks the JVM for the thread's stack (AsyncGetCallTrace),
// in Java code or out of it. That entry point is in no header, but the JDK's own, and other profilers use it.
//
// Threads: a signal's handler takes its part of one buffer by an atomic sum. Names are kept when a class is prepared,
// so that none is asked of a class that is gone.
#include <dlfcn.h>
#include <jvmti.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <unordered_map>

namespace {

// As HotSpot's forte.cpp has them.
struct CallFrame {
  jint bci;
  jmethodID method;
};
struct CallTrace {
  JNIEnv* env;
  jint count;  // of frames; 0 or less: why there are none
  CallFrame* frames;
};
using AsyncGetCallTrace = void (*)(CallTrace* trace, jint deepest, void* context);

constexpr jint kNotWalkable = -5;  // ticks_not_walkable_Java
constexpr jint kDeepest = 2048;
constexpr std::size_t kWords = std::size_t{1} << 28;  // 2 GiB of addresses; memory as it is written
constexpr std::uint64_t kPeriodNs = 10'000'000;
constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

// Written at the start, or under the mutex; the maps are never freed, because threads may still run when the JVM ends.
jvmtiEnv* jvmti = nullptr;
jobject platform_loader = nullptr;
AsyncGetCallTrace get_call_trace = nullptr;
std::string output_path;
std::mutex names_mutex;
// Class.name of each method that is not left out.
auto* const names = new std::unordered_map<jmethodID, std::string>;

// Code of compiled methods, by where it ends. What is gone stays until its place is given out again.
struct Code {
  std::uint64_t begin;
  jmethodID method;
};
auto* const codes = new std::map<std::uint64_t, Code>;

// Samples: the number of methods, then the methods, innermost first. The first may be an instruction; its method is
// looked up later.
constexpr std::uint64_t kBeginsWithInstruction = std::uint64_t{1} << 63;
std::uint64_t* words = nullptr;
std::atomic<std::size_t> words_taken{0};
std::atomic<std::uint64_t> taken{0}, without_stack{0}, without_room{0};
std::atomic<bool> sampling{false};

struct SampledThread {
  JNIEnv* env = nullptr;
  timer_t timer{};
  CallFrame frames[kDeepest];
};
thread_local SampledThread* this_thread = nullptr;

void check(jvmtiError error, const char* what) {
  if (error == JVMTI_ERROR_NONE) return;
  std::fprintf(stderr, "reference sampler: %s: JVMTI error %d\n", what, error);
  std::abort();
}

std::string take(char* jvmti_text) {
  std::string text = jvmti_text;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(jvmti_text));
  return text;
}

// The JVM cannot walk a stack from an instruction of a stub, or from one where a method's frame is not whole yet or no
// more. There the return address is on top of the stack, or under the saved frame pointer.
bool walked_from_caller(CallTrace& trace, ucontext_t context) {
#if defined(__x86_64__)
  greg_t* const registers = context.uc_mcontext.gregs;
  const auto* const stack = reinterpret_cast<const greg_t*>(registers[REG_RSP]);
  for (const int below : {0, 1}) {
    registers[REG_RIP] = stack[below];
    registers[REG_RSP] = reinterpret_cast<greg_t>(stack + below + 1);
    if (below == 1) registers[REG_RBP] = stack[0];
    get_call_trace(&trace, kDeepest, &context);
    if (trace.count > 0) return true;
  }
#endif
  return false;
}

std::uint64_t instruction_of([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#else
  return 0;
#endif
}

void on_signal(int, siginfo_t*, void* context) {
  SampledThread* const thread = this_thread;
  if (thread == nullptr || !sampling) return;
  const int error = errno;
  ++taken;
  CallTrace trace{thread->env, 0, thread->frames};
  const auto& interrupted = *static_cast<const ucontext_t*>(context);
  get_call_trace(&trace, kDeepest, context);
  const bool from_caller = trace.count == kNotWalkable && walked_from_caller(trace, interrupted);
  if (trace.count <= 0 || trace.count == kDeepest) {
    ++without_stack;
  } else {
    const auto frames = static_cast<std::size_t>(trace.count);
    const std::size_t count = frames + (from_caller ? 1 : 0);
    const std::size_t place = words_taken.fetch_add(count + 1);
    if (place + count + 1 > kWords) {
      ++without_room;
    } else {
      std::uint64_t* next = words + place;
      *next++ = count | (from_caller ? kBeginsWithInstruction : 0);
      if (from_caller) *next++ = instruction_of(interrupted);
      for (std::size_t i = 0; i < frames; ++i) {
        *next++ = reinterpret_cast<std::uint64_t>(thread->frames[i].method);
      }
    }
  }
  errno = error;
}

// Class.name of each method, or nothing for the JDK's, whose frames are left out, and for hidden classes.
void keep_names(JNIEnv* jni, jclass type) {
  char* signature = nullptr;
  check(jvmti->GetClassSignature(type, &signature, nullptr), "GetClassSignature");
  std::string class_name = take(signature);
  jobject loader = nullptr;
  check(jvmti->GetClassLoader(type, &loader), "GetClassLoader");
  const bool left_out = class_name[0] != 'L' || class_name.find('.') != std::string::npos ||
                        loader == nullptr || jni->IsSameObject(loader, platform_loader);
  jni->DeleteLocalRef(loader);
  if (!left_out) {
    class_name = class_name.substr(1, class_name.size() - 2);
    for (char& c : class_name) {
      if (c == '/') c = '.';
    }
  }
  // Also for the JDK's classes: the JVM gives no stack with a method that has no id.
  jint count = 0;
  jmethodID* methods = nullptr;
  if (jvmti->GetClassMethods(type, &count, &methods) != JVMTI_ERROR_NONE) return;
  const std::lock_guard lock(names_mutex);
  for (jint i = 0; i < count && !left_out; ++i) {
    char* name = nullptr;
    check(jvmti->GetMethodName(methods[i], &name, nullptr, nullptr), "GetMethodName");
    (*names)[methods[i]] = class_name + "." + take(name);
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(methods));
}

// AsyncGetCallTrace gives nothing unless somebody takes this event.
void JNICALL ClassLoad(jvmtiEnv*, JNIEnv*, jthread, jclass) {}

void JNICALL ClassPrepare(jvmtiEnv*, JNIEnv* jni, jthread, jclass type) { keep_names(jni, type); }

void JNICALL CompiledMethodLoad(jvmtiEnv*, jmethodID method, jint size, const void* address, jint,
                                const jvmtiAddrLocationMap*, const void*) {
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t end = begin + static_cast<std::uint64_t>(size);
  const std::lock_guard lock(names_mutex);
  auto first = codes->upper_bound(begin);
  while (first != codes->end() && first->second.begin < end) first = codes->erase(first);
  (*codes)[end] = {begin, method};
}

// Null: of none.
jmethodID method_at(std::uint64_t instruction) {
  const auto code = codes->upper_bound(instruction);
  return code != codes->end() && code->second.begin <= instruction ? code->second.method : nullptr;
}

void JNICALL ThreadStart(jvmtiEnv*, JNIEnv* jni, jthread) {
  if (this_thread != nullptr || platform_loader == nullptr) return;
  auto* const thread = new SampledThread;
  thread->env = jni;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = ::gettid();
  if (::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &thread->timer) != 0) {
    std::fprintf(stderr, "reference sampler: timer_create: %s\n", std::strerror(errno));
    std::abort();
  }
  this_thread = thread;
  const timespec period{static_cast<time_t>(kPeriodNs / kNsPerSecond),
                        static_cast<long>(kPeriodNs % kNsPerSecond)};
  const itimerspec always{period, period};
  ::timer_settime(thread->timer, 0, &always, nullptr);
}

void JNICALL ThreadEnd(jvmtiEnv*, JNIEnv*, jthread) {
  SampledThread* const thread = this_thread;
  if (thread == nullptr) return;
  ::timer_delete(thread->timer);
  this_thread = nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);  // a signal on its way finds no thread
  delete thread;
}

void JNICALL VMInit(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  jclass loaders = jni->FindClass("java/lang/ClassLoader");
  jmethodID get =
      jni->GetStaticMethodID(loaders, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;");
  platform_loader = jni->NewGlobalRef(jni->CallStaticObjectMethod(loaders, get));
  for (jvmtiEvent event : {JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE,
                           JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END}) {
    check(jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr), "enabling events");
  }
  jint count = 0;
  jclass* loaded = nullptr;
  check(jvmti->GetLoadedClasses(&count, &loaded), "GetLoadedClasses");
  for (jint i = 0; i < count; ++i) keep_names(jni, loaded[i]);
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(loaded));
  sampling = true;
  ThreadStart(jvmti, jni, thread);
}

// Writes how often each chain of methods was met, outermost first, and before it what was missed.
bool write() {
  std::map<std::string, std::uint64_t> contexts;
  const std::size_t end = std::min(words_taken.load(), kWords);
  const std::lock_guard lock(names_mutex);
  for (std::size_t place = 0; place < end && words[place] != 0;) {
    const bool from_caller = (words[place] & kBeginsWithInstruction) != 0;
    const std::uint64_t count = words[place] & ~kBeginsWithInstruction;
    const std::uint64_t* const methods = words + place + 1;
    place += count + 1;
    std::string context;
    for (std::uint64_t i = count; i-- > 0;) {
      const auto name = names->find(
          i == 0 && from_caller ? method_at(methods[i]) : reinterpret_cast<jmethodID>(methods[i]));
      if (name == names->end()) continue;
      if (!context.empty()) context += ';';
      context += name->second;
    }
    if (!context.empty()) ++contexts[context];
  }
  std::FILE* const file = std::fopen(output_path.c_str(), "w");
  if (file == nullptr) return false;
  std::fprintf(file, "# %llu samples, %llu without stack, %llu without room\n",
               static_cast<unsigned long long>(taken),
               static_cast<unsigned long long>(without_stack),
               static_cast<unsigned long long>(without_room));
  for (const auto& [context, count] : contexts) {
    std::fprintf(file, "%s %llu\n", context.c_str(), static_cast<unsigned long long>(count));
  }
  return std::fclose(file) == 0;
}

void JNICALL VMDeath(jvmtiEnv*, JNIEnv*) {
  sampling = false;
  if (!write())
    std::fprintf(stderr, "reference sampler: %s: cannot be written\n", output_path.c_str());
}

bool parse_options(const char* text) {
  std::istringstream parts(text == nullptr ? "" : text);
  for (std::string part; std::getline(parts, part, ',');) {
    if (!part.starts_with("out=")) return false;
    output_path = part.substr(4);
  }
  return !output_path.empty();
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void*) {
  if (!parse_options(options)) {
    std::fprintf(stderr, "reference sampler: options: expected out=FILE\n");
    return JNI_ERR;
  }
  if (vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
  get_call_trace = reinterpret_cast<AsyncGetCallTrace>(::dlsym(RTLD_DEFAULT, "AsyncGetCallTrace"));
  void* const room = ::mmap(nullptr, kWords * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  if (get_call_trace == nullptr || room == MAP_FAILED ||
      ::sigaction(SIGPROF, &action, nullptr) != 0) {
    std::fprintf(stderr, "reference sampler: no AsyncGetCallTrace, memory or signal\n");
    return JNI_ERR;
  }
  words = static_cast<std::uint64_t*>(room);
  jvmtiCapabilities wanted{};
  wanted.can_generate_compiled_method_load_events = 1;
  check(jvmti->AddCapabilities(&wanted), "AddCapabilities");
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = VMInit;
  callbacks.VMDeath = VMDeath;
  callbacks.ClassLoad = ClassLoad;
  callbacks.ClassPrepare = ClassPrepare;
  callbacks.CompiledMethodLoad = CompiledMethodLoad;
  callbacks.ThreadStart = ThreadStart;
  callbacks.ThreadEnd = ThreadEnd;
  check(jvmti->SetEventCallbacks(&callbacks, sizeof callbacks), "SetEventCallbacks");
  for (jvmtiEvent event :
       {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_COMPILED_METHOD_LOAD}) {
    check(jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr), "enabling events");
  }
  return JNI_OK;
}
