#include "agent/jvm/run_doubts.h"

#include <dlfcn.h>

#include <algorithm>
#include <span>

#include "agent/glob_hint.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/local_frame.h"
#include "agent/option_rules.h"
#include "base/joined_text.h"
#include "base/printable.h"
#include "classfile/rewriter.h"

namespace copse::jvm {
namespace {

// A program with more classes gets no hints about those beyond.
constexpr std::size_t kMostClasses = 200'000;

// Who has given the options: copse run, which reads the manifest, or somebody to the agent alone.
agent::Spelling spelling_of(const agent::AgentOptions& options) {
  return options.manifest.empty() ? agent::Spelling::kAgent : agent::Spelling::kCommandLine;
}

// Names of what is loaded, with references that last as long as this.
class Loaded {
 public:
  Loaded(jvmtiEnv* jvmti, JNIEnv* jni, ClassLoaders& loaders)
      : jvmti_(jvmti), jni_(jni), frame_(jni) {
    jint count = 0;
    jclass* loaded = nullptr;
    if (jvmti->GetLoadedClasses(&count, &loaded) != JVMTI_ERROR_NONE) return;
    for (const jclass type : std::span<jclass>(loaded, static_cast<std::size_t>(count))) {
      if (!add(type, loaders)) jni->DeleteLocalRef(type);
    }
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(loaded));
  }
  agent::LoadedNames names() const {
    return {names_, [this](std::size_t index) { return method_names(jvmti_, types_[index]); }};
  }

 private:
  bool add(jclass type, ClassLoaders& loaders) {
    std::string name = internal_name(jvmti_, type);
    jobject loader = nullptr;
    if (name.empty() || types_.size() >= kMostClasses ||
        jvmti_->GetClassLoader(type, &loader) != JVMTI_ERROR_NONE) {
      return false;
    }
    std::replace(name.begin(), name.end(), '/', '.');
    const bool is_jdk = loaders.identify(jni_, loader).is_jdk;
    if (loader != nullptr) jni_->DeleteLocalRef(loader);
    names_.push_back({std::move(name), is_jdk});
    types_.push_back(type);
    return true;
  }

  jvmtiEnv* const jvmti_;
  JNIEnv* const jni_;
  const LocalFrame frame_;
  std::vector<agent::LoadedClass> names_;
  std::vector<jclass> types_;  // as names_
};

std::string why_no_calls(const agent::AgentOptions& options, const ClassHook& hook, bool attached,
                         agent::Spelling spelling) {
  if (hook.gave_probes()) {
    return attached ? "no method that is recorded was called between attach and detach"
                    : "no method that is recorded was called";
  }
  if (!hook.saw_classes()) {
    return "no class of the program's own was loaded, and the JDK's are recorded with " +
           (spelling == agent::Spelling::kCommandLine ? std::string("--jdk") : "jdk") + " alone";
  }
  std::string filters;
  for (const auto& [key, globs] :
       {std::pair("include", &options.include), std::pair("exclude", &options.exclude)}) {
    if (!globs->empty())
      filters += (filters.empty() ? "" : " and ") + agent::spelled(key, spelling);
  }
  if (filters.empty()) return "no class that was loaded has a method that can be recorded";
  const bool both = !options.include.empty() && !options.exclude.empty();
  return filters + (both ? " leave" : " leaves") + " nothing of what was loaded";
}

// "" where the program itself asked for ids.
std::string why_no_events(const agent::AgentOptions& options, const ClassHook& hook,
                          agent::Spelling spelling) {
  const auto option = [&](std::string_view key) {
    return spelling == agent::Spelling::kCommandLine ? agent::spelled(key, spelling)
                                                     : std::string(key);
  };
  const auto& ids = std::get<agent::IdOptions>(options.mode);
  if (ids.marks.empty() && ids.measures.empty()) {
    if (hook.saw_context_api()) return "";
    return "ids count nothing by themselves; add " + option("mark") + " or " + option("measure") +
           ", or ask for copse.Context.id() in the program";
  }
  std::string why;
  if (!ids.marks.empty()) why = "no marked method was entered";
  if (!ids.measures.empty()) {
    why += (why.empty() ? "" : ", and ") +
           std::string("nothing that was to be measured happened: ") + joined_text(ids.measures);
  }
  return why;
}

// Returns whether the warnings about globs explain the empty run already.
bool is_explained_by_globs(const agent::AgentOptions& options, const ClassHook& hook) {
  const std::vector<ClassHook::Glob> unused = hook.unused_globs();
  const auto all_unused = [&](std::string_view key, const std::vector<std::string>& globs) {
    const auto of_key = std::count_if(unused.begin(), unused.end(),
                                      [&](const auto& glob) { return glob.key == key; });
    return !globs.empty() && static_cast<std::size_t>(of_key) == globs.size();
  };
  const auto* ids = agent::part<agent::IdOptions>(options);
  if (ids != nullptr && ids->measures.empty() && all_unused("mark", ids->marks)) return true;
  return all_unused("include", options.include) && hook.saw_classes();
}

}  // namespace

std::vector<RunDoubt> doubts_about_globs(jvmtiEnv* jvmti, JNIEnv* jni, ClassLoaders& loaders,
                                         const agent::AgentOptions& options,
                                         const ClassHook& hook) {
  const std::vector<ClassHook::Glob> unused = hook.unused_globs();
  std::vector<RunDoubt> doubts;
  if (unused.empty()) return doubts;
  const Loaded loaded(jvmti, jni, loaders);
  for (const ClassHook::Glob& glob : unused) {
    std::string sentence =
        agent::hint_for({glob.key, glob.glob}, options, spelling_of(options), loaded.names());
    doubts.push_back(
        {agent::UnmatchedNote{std::string(glob.key) + "=" + printable(glob.glob), sentence},
         sentence});
  }
  return doubts;
}

std::vector<RunDoubt> doubts_about_debuggers() {
  void* const debugger = dlopen("libjdwp.so", RTLD_NOLOAD | RTLD_LAZY);
  if (debugger == nullptr) return {};
  dlclose(debugger);
  std::string sentence =
      "a debugger agent (JDWP) is in this JVM: with Copse it takes uncaught exceptions for caught "
      "ones, and stops once more in "
      "each recorded frame that they leave; break where they are thrown";
  return {{agent::TextNote{agent::TextNote::Kind::kWarning, sentence}, sentence}};
}

std::string note_about_handlers(const ClassHook& hook) {
  if (!hook.has_bare_handlers()) return "";
  return "methods that would pass 8,000 bytes with probes in handlers of exceptions have none "
         "there: class initialisers that run in such a handler, and CPU time, count at the "
         "call that threw until the handler's next call";
}

std::vector<RunDoubt> doubts_about_class_files(const ClassHook& hook) {
  const std::uint16_t newest = hook.newest_version();
  if (newest <= classfile::kLastKnownVersion) return {};
  std::string sentence =
      "class files of version " + std::to_string(newest) +
      " are newer than this Copse, which knows version " +
      std::to_string(classfile::kLastKnownVersion) +
      ": they were recorded by its rules, and skipped lists what it could not read";
  return {{agent::TextNote{agent::TextNote::Kind::kWarning, sentence}, sentence}};
}

std::vector<RunDoubt> doubts_about_emptiness(const agent::AgentOptions& options,
                                             const ClassHook& hook, bool attached) {
  if (is_explained_by_globs(options, hook)) return {};
  const agent::Spelling spelling = spelling_of(options);
  const bool counts_events = agent::part<agent::IdOptions>(options) != nullptr;
  const std::string why = counts_events ? why_no_events(options, hook, spelling)
                                        : why_no_calls(options, hook, attached, spelling);
  if (why.empty()) return {};
  std::string sentence = "nothing was recorded: " + why;
  return {{agent::TextNote{agent::TextNote::Kind::kEmpty, sentence}, sentence}};
}

}  // namespace copse::jvm
