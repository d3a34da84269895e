#include "agent/jvm/hook/boot_image.h"

#include <dlfcn.h>

namespace copse::jvm {
namespace {

// The C interface of libjimage (jimage.hpp in the JDK's sources), unchanged since JDK 9.
struct JImageFile;
using JImageLocation = std::int64_t;
using OpenFunction = JImageFile* (*)(const char* name, std::int32_t* error);
using CloseFunction = void (*)(JImageFile*);
using PackageToModuleFunction = const char* (*)(JImageFile*, const char* package);
using FindResourceFunction = JImageLocation (*)(JImageFile*, const char* module,
                                                const char* version, const char* name,
                                                std::int64_t* size);
using GetResourceFunction = std::int64_t (*)(JImageFile*, JImageLocation, char* buffer,
                                             std::int64_t size);

class JImage final : public BootImage {
 public:
  ~JImage() override {
    if (file_ != nullptr) close_(file_);
    // The library stays: the JVM itself uses it.
  }

  bool open(const std::string& java_home) {
    void* library = dlopen((java_home + "/lib/libjimage.so").c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return false;
    const auto open = reinterpret_cast<OpenFunction>(dlsym(library, "JIMAGE_Open"));
    close_ = reinterpret_cast<CloseFunction>(dlsym(library, "JIMAGE_Close"));
    package_to_module_ =
        reinterpret_cast<PackageToModuleFunction>(dlsym(library, "JIMAGE_PackageToModule"));
    find_ = reinterpret_cast<FindResourceFunction>(dlsym(library, "JIMAGE_FindResource"));
    get_ = reinterpret_cast<GetResourceFunction>(dlsym(library, "JIMAGE_GetResource"));
    if (!open || !close_ || !package_to_module_ || !find_ || !get_) return false;
    std::int32_t error = 0;
    file_ = open((java_home + "/lib/modules").c_str(), &error);
    return file_ != nullptr;
  }

  std::vector<std::uint8_t> read_class(std::string_view internal_name) override {
    const std::size_t slash = internal_name.rfind('/');
    if (slash == std::string_view::npos) return {};
    const char* module =
        package_to_module_(file_, std::string(internal_name.substr(0, slash)).c_str());
    if (module == nullptr) return {};
    std::int64_t size = 0;
    const JImageLocation location =
        find_(file_, module, "9.0", (std::string(internal_name) + ".class").c_str(), &size);
    if (location == 0 || size <= 0) return {};
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    if (get_(file_, location, reinterpret_cast<char*>(bytes.data()), size) != size) return {};
    return bytes;
  }

 private:
  JImageFile* file_ = nullptr;
  CloseFunction close_ = nullptr;
  PackageToModuleFunction package_to_module_ = nullptr;
  FindResourceFunction find_ = nullptr;
  GetResourceFunction get_ = nullptr;
};

}  // namespace

std::unique_ptr<BootImage> BootImage::open(const std::string& java_home) {
  auto image = std::make_unique<JImage>();
  if (!image->open(java_home)) return nullptr;
  return image;
}

}  // namespace copse::jvm
