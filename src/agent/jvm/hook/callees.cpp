#include "agent/jvm/hook/callees.h"

#include <algorithm>
#include <array>

namespace copse::jvm {

using classfile::Callee;
using classfile::CalleeKind;
using classfile::CallSiteView;
using classfile::MethodSummary;

namespace {

constexpr std::uint8_t kInvokeSpecial = 183, kInvokeInterface = 185, kInvokeDynamic = 186;

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) noexcept {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Parameters that carry no code of the application: primitives, arrays of them, String.
bool only_plain_parameters(std::string_view descriptor) noexcept {
  std::size_t i = 1;
  while (i < descriptor.size() && descriptor[i] != ')') {
    while (descriptor[i] == '[') ++i;
    if (descriptor[i] == 'L') {
      constexpr std::string_view kString = "Ljava/lang/String;";
      if (descriptor.substr(i, kString.size()) != kString) return false;
      i += kString.size();
    } else {
      ++i;
    }
  }
  return true;
}

// Final classes of java.lang whose methods with plain parameters stay among themselves.
constexpr std::array<std::string_view, 13> kPlainClasses = {
    "java/lang/String",     "java/lang/StringBuilder", "java/lang/StringBuffer", "java/lang/Math",
    "java/lang/StrictMath", "java/lang/Integer",       "java/lang/Long",         "java/lang/Short",
    "java/lang/Byte",       "java/lang/Character",     "java/lang/Boolean",      "java/lang/Float",
    "java/lang/Double"};

// Methods of those classes that reach providers which an application can install (charsets, locales, a security
// manager asked for a property).
constexpr std::array<std::string_view, 7> kOpenMethods = {
    "getBytes", "format", "formatted", "transform", "getInteger", "getLong", "getBoolean"};

bool is_string_from_charset(const CallSiteView& call) noexcept {
  return call.name == "<init>" && call.owner == "java/lang/String" &&
         call.descriptor.find("[B") != std::string_view::npos &&
         call.descriptor.find("Ljava/lang/String;") != std::string_view::npos;
}

// Natives that the JIT replaces and that can nevertheless run Java code.
constexpr std::array<std::string_view, 3> kUpcallingIntrinsics = {"allocateInstance",
                                                                  "ensureClassInitialized", "park"};

std::string signature_of(std::string_view name, std::string_view descriptor) {
  std::string signature(name);
  signature += descriptor;
  return signature;
}

}  // namespace

bool is_silent_jdk_call(const CallSiteView& call) noexcept {
  if (call.opcode == kInvokeInterface || call.opcode == kInvokeDynamic) return false;
  if (!call.owner.empty() && call.owner[0] == '[') return call.name == "clone";
  if (call.owner == "java/lang/Object") {
    return call.name == "getClass" ||
           (call.opcode == kInvokeSpecial &&
            (call.name == "<init>" || call.name == "hashCode" || call.name == "equals" ||
             call.name == "clone" || call.name == "finalize"));
  }
  if (call.owner == "java/lang/System") {
    return call.name == "arraycopy" || call.name == "nanoTime" ||
           call.name == "currentTimeMillis" || call.name == "identityHashCode";
  }
  if (call.owner == "java/lang/Thread") return call.name == "currentThread";
  if (!contains(kPlainClasses, call.owner)) return false;
  if (contains(kOpenMethods, call.name) || is_string_from_charset(call)) return false;
  // equals of these classes compares only with its own class.
  return only_plain_parameters(call.descriptor) || call.name == "equals";
}

JdkCallees::JdkCallees(std::unique_ptr<BootImage> image, const ProbeCallees& probe_callees,
                       MethodTable& table)
    : image_(std::move(image)), probe_callees_(probe_callees), table_(table) {}

const JdkCallees::Outline* JdkCallees::outline(std::string_view internal_name) {
  const auto [entry, is_new] = outlines_.try_emplace(std::string(internal_name));
  if (is_new) {
    const std::vector<std::uint8_t> bytes = image_->read_class(internal_name);
    if (Result<classfile::ClassSummary> summary = classfile::summarize(bytes); summary.ok()) {
      entry->second = std::make_unique<Outline>();
      entry->second->summary = std::move(summary).value();
      for (const MethodSummary& method : entry->second->summary.methods) {
        entry->second->methods.emplace(signature_of(method.name, method.descriptor), &method);
      }
    }
  }
  return entry->second.get();
}

bool JdkCallees::overrides_something(const Outline& owner, const std::string& signature) {
  const auto declares = [&](const std::string& type) {
    const Outline* above = outline(type);
    return above != nullptr &&
           (above->methods.contains(signature) || overrides_something(*above, signature));
  };
  return (!owner.summary.super_name.empty() && declares(owner.summary.super_name)) ||
         std::any_of(owner.summary.interfaces.begin(), owner.summary.interfaces.end(), declares);
}

CalleeKind JdkCallees::kind_of(const Outline& owner, const MethodSummary& method) {
  const std::string& type = owner.summary.name;
  if (method.name == "<init>") {
    return type == "java/lang/Object" ? CalleeKind::kCountedLeaf : CalleeKind::kRecords;
  }
  const bool records =
      !method.is_native() && !method.intrinsic_candidate &&
      !probe_callees_.contains({type, signature_of(method.name, method.descriptor)});
  if (records || method.name[0] == '<') return CalleeKind::kRecords;
  // Signature-polymorphic: the call site's descriptor is not the method's.
  if (type == "java/lang/invoke/MethodHandle" || type == "java/lang/invoke/VarHandle") {
    return CalleeKind::kRecords;
  }
  if (!method.is_static() && !method.is_private()) {
    const bool final = ((method.access | owner.summary.access) & classfile::kAccFinal) != 0;
    if (!final || overrides_something(owner, signature_of(method.name, method.descriptor))) {
      return CalleeKind::kRecords;
    }
  }
  const bool calls_nothing = method.intrinsic_candidate && !method.may_have_calls &&
                             !contains(kUpcallingIntrinsics, method.name);
  return calls_nothing ? CalleeKind::kCountedLeaf : CalleeKind::kCountedNative;
}

Callee JdkCallees::classify(const CallSiteView& call) {
  if (call.opcode == kInvokeInterface || call.opcode == kInvokeDynamic) return {};
  const std::lock_guard lock(mutex_);
  // Arrays inherit getClass and the like from Object; their clone is a native of Object's too.
  const bool array = !call.owner.empty() && call.owner[0] == '[';
  if (array && call.name == "clone") return {};
  const std::string signature = signature_of(call.name, call.descriptor);
  const Outline* owner = outline(array ? std::string_view("java/lang/Object") : call.owner);
  while (owner != nullptr) {
    if (const auto found = owner->methods.find(signature); found != owner->methods.end()) {
      const CalleeKind kind = kind_of(*owner, *found->second);
      if (kind == CalleeKind::kRecords) return {};
      const auto type = table_.open_class({.loader_name = "boot"}, owner->summary.name,
                                          owner->summary.source_file);
      const MethodId id = table_.method(type, call.name, call.descriptor);
      return id == kNoMethod ? Callee{} : Callee{kind, id, owner->summary.name};
    }
    if (owner->summary.super_name.empty() || call.name == "<init>") return {};
    owner = outline(owner->summary.super_name);
  }
  return {};
}

JdkCallees::BodyProbe JdkCallees::body_probe(std::string_view owner, std::string_view name,
                                             std::string_view descriptor) {
  const std::lock_guard lock(mutex_);
  const Outline* type = outline(owner);
  if (type == nullptr) return BodyProbe::kYes;
  const auto found = type->methods.find(signature_of(name, descriptor));
  if (found == type->methods.end()) return BodyProbe::kYes;
  return kind_of(*type, *found->second) == CalleeKind::kRecords ? BodyProbe::kYes
                                                                : BodyProbe::kCountedAtCallSites;
}

}  // namespace copse::jvm
