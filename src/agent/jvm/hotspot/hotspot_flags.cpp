#include "agent/jvm/hotspot/hotspot_flags.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace copse::jvm {
namespace {

template <typename T>
T value_at(const char* address) noexcept {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

// libjvm, which the functions of its interface lie in.
class Library {
 public:
  explicit Library(JavaVM* vm) noexcept {
    Dl_info found{};
    if (::dladdr(reinterpret_cast<const void*>(vm->functions->GetEnv), &found) == 0) return;
    handle_ = ::dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }
  ~Library() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // Returns where a variable is; nullptr if there is none of the name.
  char* address(const char* name) const noexcept {
    return handle_ == nullptr ? nullptr : static_cast<char*>(::dlsym(handle_, name));
  }
  // A variable's value; 0 when there is none of the name.
  std::uint64_t variable(const std::string& name) const noexcept {
    const char* const found = address(name.c_str());
    return found == nullptr ? 0 : value_at<std::uint64_t>(found);
  }

 private:
  void* handle_ = nullptr;
};

// One of the tables, whose rows have the layout that variables beside it tell.
class Table {
 public:
  // `prefix`: gHotSpotVMStruct, gHotSpotVMType.
  Table(const Library& library, const std::string& prefix)
      : library_(library),
        prefix_(prefix + "Entry"),
        rows_(library.variable(prefix + "s")),
        stride_(library.variable(prefix_ + "ArrayStride")) {}

  template <typename T>
  T column(const char* row, const char* name) const {
    return value_at<T>(row + library_.variable(prefix_ + name + "Offset"));
  }
  bool has(const char* row, const char* column_name, const char* text) const {
    const char* const found = column<const char*>(row, column_name);
    return found != nullptr && std::strcmp(found, text) == 0;
  }
  // The first row for which `is_it` holds; null: none.
  template <typename Predicate>
  const char* find(Predicate is_it) const {
    if (rows_ == 0 || stride_ == 0) return nullptr;
    const char* row = reinterpret_cast<const char*>(rows_);
    for (; column<const char*>(row, "TypeName") != nullptr; row += stride_) {
      if (is_it(row)) return row;
    }
    return nullptr;
  }

 private:
  const Library& library_;
  const std::string prefix_;
  const std::uint64_t rows_;
  const std::uint64_t stride_;
};

// The JVM's flags as they are in force.
class Flags {
 public:
  explicit Flags(JavaVM* vm) : library_(vm), fields_(library_, "gHotSpotVMStruct") {
    const Table types(library_, "gHotSpotVMType");
    const char* const type =
        types.find([&](const char* row) { return types.has(row, "TypeName", kFlag); });
    const char* const first = field("flags");
    const char* const count = field("numFlags");
    const char* const name = field("_name");
    const char* const value = field("_addr");
    if (type == nullptr || first == nullptr || count == nullptr || name == nullptr ||
        value == nullptr) {
      return;
    }
    size_ = types.column<std::uint64_t>(type, "Size");
    first_ = value_at<const char*>(fields_.column<const char*>(first, "Address"));
    count_ = value_at<std::size_t>(fields_.column<const char*>(count, "Address"));
    name_at_ = fields_.column<std::uint64_t>(name, "Offset");
    value_at_ = fields_.column<std::uint64_t>(value, "Offset");
  }

  // Where its value is; null when there is no such flag.
  char* value_of(const char* flag) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const char* const row = first_ + i * size_;
      const char* const name = value_at<const char*>(row + name_at_);
      if (name == nullptr || std::strcmp(name, flag) != 0) continue;
      return value_at<char*>(row + value_at_);
    }
    return nullptr;
  }

  // False also for a flag that there is not.
  bool is_on(const char* flag) const {
    const char* const value = value_of(flag);
    return value != nullptr && *value != 0;
  }

 private:
  static constexpr const char* kFlag = "JVMFlag";

  const char* field(const char* name) const {
    return fields_.find([&](const char* row) {
      return fields_.has(row, "TypeName", kFlag) && fields_.has(row, "FieldName", name);
    });
  }

  const Library library_;
  const Table fields_;
  const char* first_ = nullptr;
  std::size_t size_ = 0;
  std::size_t count_ = 0;
  std::uint64_t name_at_ = 0;
  std::uint64_t value_at_ = 0;
};

}  // namespace

bool moves_objects_at_safepoints_alone(JavaVM* vm) noexcept {
  try {
    const Flags flags(vm);
    return flags.is_on("UseG1GC") || flags.is_on("UseSerialGC") || flags.is_on("UseParallelGC");
  } catch (...) {
    return false;  // no memory to look
  }
}

std::uint64_t size_of_hotspot_type(JavaVM* vm, const char* type) noexcept {
  try {
    const Library library(vm);
    const Table types(library, "gHotSpotVMType");
    const char* const row =
        types.find([&](const char* each) { return types.has(each, "TypeName", type); });
    return row == nullptr ? 0 : types.column<std::uint64_t>(row, "Size");
  } catch (...) {
    return 0;  // no memory to look
  }
}

bool sets_fields_with_exceptions(JavaVM* vm) noexcept {
  try {
    const char* const checks = Flags(vm).value_of("CheckJNICalls");
    return checks != nullptr && *checks == 0;
  } catch (...) {
    return false;  // no memory to look
  }
}

void leave_class_archives(JavaVM* vm) noexcept {
  try {
    constexpr const char* kUsed = "UseSharedSpaces";  // a flag in JDK 17, a variable in 25
    const Library library(vm);
    char* const variable = library.address(kUsed);
    char* const used = variable != nullptr ? variable : Flags(vm).value_of(kUsed);
    if (used != nullptr) *used = 0;
  } catch (...) {
    // No memory to look. The JVM leaves them itself then, unless the program must have them.
  }
}

bool makes_aot_cache(JavaVM* vm) noexcept {
  try {
    const Flags flags(vm);
    const auto text = [&](const char* flag) {
      const char* const value = flags.value_of(flag);
      const char* const found = value == nullptr ? nullptr : value_at<const char*>(value);
      return std::string_view(found == nullptr ? "" : found);
    };
    return text("AOTMode") == "record" || !text("AOTCacheOutput").empty();
  } catch (...) {
    return false;  // no memory to look
  }
}

bool may_exit_amid_work(JavaVM* vm) noexcept {
  try {
    return Flags(vm).is_on("ExitOnOutOfMemoryError");
  } catch (...) {
    return true;  // no memory to look
  }
}

bool trusts_final_fields(JavaVM* vm) noexcept {
  try {
    return Flags(vm).is_on("TrustFinalNonStaticFields");
  } catch (...) {
    return false;  // no memory to look
  }
}

std::optional<bool> set_compiler_switch(JavaVM* vm, const char* flag, bool on) noexcept {
  try {
    char* const value = Flags(vm).value_of(flag);
    if (value == nullptr) return std::nullopt;
    // Compiler threads read it at any time, and either value suits them.
    return __atomic_exchange_n(value, on ? 1 : 0, __ATOMIC_RELAXED) != 0;
  } catch (...) {
    return std::nullopt;  // no memory to look
  }
}

PassingTextFlag::PassingTextFlag(JavaVM* vm, const char* flag, const char* text) noexcept {
  try {
    value_ = reinterpret_cast<const char**>(Flags(vm).value_of(flag));
    if (value_ != nullptr) before_ = __atomic_exchange_n(value_, text, __ATOMIC_SEQ_CST);
  } catch (...) {
    value_ = nullptr;  // no memory to look
  }
}

PassingTextFlag::~PassingTextFlag() {
  if (value_ != nullptr) __atomic_store_n(value_, before_, __ATOMIC_SEQ_CST);
}

}  // namespace copse::jvm
