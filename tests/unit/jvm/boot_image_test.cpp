#include "agent/jvm/hook/boot_image.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace copse::jvm {
namespace {

struct Resource {
  std::string module, package, name, extension, content;
  bool is_zipped = false;
  std::string path() const { return "/" + module + "/" + package + "/" + name + "." + extension; }
};

std::uint32_t hash_of(const std::string& text, std::uint32_t seed) {
  for (const char c : text) seed = seed * 0x0100'0193 ^ static_cast<std::uint8_t>(c);
  return seed & 0x7FFF'FFFF;
}

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  std::memcpy(text.assign(static_cast<std::size_t>(bytes), '\0').data(), &value,
              static_cast<std::size_t>(bytes));
  return text;
}

std::string zipped(const std::string& content) {
  std::string packed(compressBound(content.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(content.data()), content.size());
  return packed.substr(0, size);
}

// A file as jlink writes it: every resource is found by one hash, or by a second with a seed.
class ImageFile {
 public:
  explicit ImageFile(const std::vector<Resource>& resources) {
    const auto entries = static_cast<std::uint32_t>(resources.size());
    std::vector<std::int32_t> redirections(entries);
    std::vector<std::uint32_t> locations(entries);
    std::vector<std::vector<const Resource*>> buckets(entries);
    for (const Resource& resource : resources) {
      buckets[hash_of(resource.path(), 0x0100'0193) % entries].push_back(&resource);
    }
    std::vector<std::size_t> order(entries);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t i) { return buckets[i].size(); });
    std::vector<bool> taken(entries);
    for (const std::size_t bucket : order) {
      const auto& in_it = buckets[bucket];
      std::vector<std::uint32_t> at;
      if (in_it.size() == 1) {
        at = {static_cast<std::uint32_t>(std::ranges::find(taken, false) - taken.begin())};
        redirections[bucket] = -1 - static_cast<std::int32_t>(at[0]);
      }
      for (std::uint32_t seed = 1; at.size() < in_it.size(); ++seed) {
        at.clear();
        for (const Resource* resource : in_it) {
          const std::uint32_t entry = hash_of(resource->path(), seed) % entries;
          if (!taken[entry] && std::ranges::find(at, entry) == at.end()) at.push_back(entry);
        }
        redirections[bucket] = static_cast<std::int32_t>(seed);
      }
      for (std::size_t i = 0; i < at.size(); ++i) {
        taken[at[i]] = true;
        locations[at[i]] = add(*in_it[i]);
      }
    }
    bytes_ = number(0xCAFE'DADA, 4) + number(0x0001'0000, 4) + number(0, 4) + number(entries, 4) +
             number(entries, 4) + number(attributes_.size(), 4) + number(strings_.size(), 4);
    for (const std::int32_t one : redirections)
      bytes_ += number(static_cast<std::uint32_t>(one), 4);
    for (const std::uint32_t one : locations) bytes_ += number(one, 4);
    bytes_ += attributes_ + strings_ + content_;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::uint32_t string(const std::string& text) {
    strings_ += text + '\0';
    return static_cast<std::uint32_t>(strings_.size() - text.size() - 1);
  }

  void attribute(int kind, std::uint64_t value) {
    attributes_ += static_cast<char>(kind << 3 | 3);
    std::string bytes = number(value, 4);
    attributes_.append(bytes.rbegin(), bytes.rend());
  }

  std::uint32_t add(const Resource& resource) {
    const auto start = static_cast<std::uint32_t>(attributes_.size());
    std::string content = resource.content;
    if (resource.is_zipped) {
      const std::string packed = zipped(content);
      content = number(0xCAFE'FAFA, 4) + number(packed.size(), 8) + number(content.size(), 8) +
                number(string("zip"), 4) + number(0, 4) + number(1, 1) + packed;
      attribute(6, content.size());
    }
    attribute(1, string(resource.module));
    attribute(2, string(resource.package));
    attribute(3, string(resource.name));
    attribute(4, string(resource.extension));
    attribute(5, content_.size());
    attribute(7, resource.content.size());
    attributes_ += '\0';
    content_ += content;
    return start;
  }

  std::string attributes_, strings_ = std::string(1, '\0'), content_, bytes_;
};

class BootImageTest : public testing::Test {
 protected:
  BootImageTest()
      : home_(std::filesystem::temp_directory_path() /
              ("copse-boot-image-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(home_ / "lib");
  }
  ~BootImageTest() override { std::filesystem::remove_all(home_); }

  std::unique_ptr<BootImage> open(std::string_view bytes) const {
    std::ofstream(home_ / "lib/modules", std::ios::binary) << bytes;
    return BootImage::open(home_.string());
  }
  static std::string read(BootImage& image, std::string_view name) {
    const std::vector<std::uint8_t> bytes = image.read_class(name);
    return {bytes.begin(), bytes.end()};
  }

  const std::filesystem::path home_;
  const std::vector<Resource> resources_ = [] {
    std::vector<Resource> all = {
        {"java.base", "java/lang", "Object", "class", "object"},
        {"java.base", "java/lang", "Packed", "class", std::string(5000, 'p'), true},
        {"java.desktop", "java/lang/ref", "picture", "png", "no class"}};
    for (int i = 0; i < 40; ++i) {
      all.push_back({i % 2 == 0 ? "java.base" : "java.xml", i % 2 == 0 ? "java/util" : "javax/xml",
                     "C" + std::to_string(i), "class", "content " + std::to_string(i)});
    }
    return all;
  }();
};

TEST_F(BootImageTest, HasEveryClassOfItsModules) {
  const std::unique_ptr<BootImage> image = open(ImageFile(resources_).bytes());
  ASSERT_NE(image, nullptr);
  for (const Resource& resource : resources_) {
    const bool is_class = resource.extension == "class";
    EXPECT_EQ(read(*image, resource.package + "/" + resource.name),
              is_class ? resource.content : "");
  }
  for (const char* name : {"java/lang/Gone", "java/util/C1", "gone/C2", "Object", "", "/"}) {
    EXPECT_EQ(read(*image, name), "") << name;
  }
}

TEST_F(BootImageTest, ReadsNothingBeyondAFileThatIsCut) {
  const std::string whole = ImageFile(resources_).bytes();
  for (std::size_t size = 0; size < whole.size(); size += 13) {
    const std::unique_ptr<BootImage> image = open(std::string_view(whole).substr(0, size));
    if (image == nullptr) continue;
    for (const Resource& resource : resources_) {
      const std::string found = read(*image, resource.package + "/" + resource.name);
      EXPECT_TRUE(found.empty() || found == resource.content) << size;
    }
  }
}

TEST_F(BootImageTest, IsNoneWithoutAFileOrWithAnotherKind) {
  EXPECT_EQ(BootImage::open((home_ / "gone").string()), nullptr);
  EXPECT_EQ(open("no image, but long enough for a header of 28 bytes"), nullptr);
}

}  // namespace
}  // namespace copse::jvm
