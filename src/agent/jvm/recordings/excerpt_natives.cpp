#include "agent/jvm/recordings/excerpt_natives.h"

#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jvm/hook/method_table.h"
#include "agent/jvm/runtime/native_method.h"
#include "base/byte_writer.h"
#include "base/utf8.h"
#include "cct/inplace/inline_trees.h"

namespace copse::jvm {
namespace {

constexpr std::size_t kRowBytes = 18;

// Plain: written before the natives are bound.
const MethodTable* g_methods = nullptr;

void throw_no_memory(JNIEnv* jni) {
  const jclass type = jni->FindClass("java/lang/OutOfMemoryError");
  if (type != nullptr) jni->ThrowNew(type, "copse: no room for what was recorded");
}

// Null when the JVM has thrown.
jbyteArray java_bytes(JNIEnv* jni, std::span<const std::uint8_t> bytes) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<jint>::max())) {
    throw std::bad_alloc();
  }
  const auto size = static_cast<jsize>(bytes.size());
  const jbyteArray array = jni->NewByteArray(size);
  if (array != nullptr) {
    jni->SetByteArrayRegion(array, 0, size, reinterpret_cast<const jbyte*>(bytes.data()));
  }
  return array;
}

template <typename Make>
jbyteArray bytes_or_throw(JNIEnv* jni, Make make) noexcept {
  try {
    return java_bytes(jni, make());
  } catch (const std::bad_alloc&) {
    throw_no_memory(jni);
    return nullptr;
  }
}

void put_u8(ByteWriter& out, std::uint64_t value) {
  out.u4(static_cast<std::uint32_t>(value >> 32));
  out.u4(static_cast<std::uint32_t>(value));
}

std::vector<std::uint8_t> bytes_of(const cct::Excerpt& excerpt) {
  const std::size_t rows = excerpt.nodes.empty() ? 0 : excerpt.nodes.size() - 1;
  ByteWriter out;
  out.reserve(17 + rows * kRowBytes);
  out.u1((excerpt.is_merged ? 1u : 0u) | (excerpt.is_whole ? 0u : 2u));
  put_u8(out, excerpt.calls_lost);
  out.u4(static_cast<std::uint32_t>(rows));
  out.u4(static_cast<std::uint32_t>(excerpt.own_nodes == 0 ? 0 : excerpt.own_nodes - 1));
  for (const cct::ContextNode& node : std::span(excerpt.nodes).last(rows)) {
    out.u4(raw(node.parent));
    out.u4(raw(method_of(node.key)));
    out.u2(raw(site_of(node.key)));
    put_u8(out, node.calls);
  }
  return std::move(out).take();
}

void put_text(std::vector<std::uint8_t>& out, std::string_view text) {
  const std::string valid = valid_utf8(text);
  out.insert(out.end(), valid.begin(), valid.end());
  out.push_back(0);
}

jlong JNICALL begin_excerpt(JNIEnv*, jclass, jlong header, jlong slot, jint whose) {
  return static_cast<jlong>(
      cct::InlineTrees::begin_excerpt(header_at(header), static_cast<std::uint64_t>(slot),
                                      static_cast<cct::InlineTrees::Whose>(whose)));
}

jbyteArray JNICALL end_excerpt(JNIEnv* jni, jclass, jlong header, jlong slot) {
  const std::optional<cct::Excerpt> excerpt =
      cct::InlineTrees::end_excerpt(header_at(header), static_cast<std::uint64_t>(slot));
  if (!excerpt) return nullptr;
  return bytes_or_throw(jni, [&] { return bytes_of(*excerpt); });
}

jbyteArray JNICALL methods(JNIEnv* jni, jclass, jint known) {
  return bytes_or_throw(jni, [known] {
    std::vector<std::uint8_t> text;
    g_methods->each_behind(
        static_cast<std::size_t>(known),
        [&text](std::string_view class_name, std::string_view name, std::string_view descriptor) {
          for (const std::string_view part : {class_name, name, descriptor}) {
            put_text(text, part);
          }
        });
    return text;
  });
}

jbyteArray JNICALL skipped(JNIEnv* jni, jclass) {
  return bytes_or_throw(jni, [] {
    std::vector<std::uint8_t> text;
    g_methods->each_skipped(
        [&text](std::string_view class_name, std::string_view method, std::string_view reason) {
          for (const std::string_view part : {class_name, method, reason}) put_text(text, part);
        });
    return text;
  });
}

jlong JNICALL site(JNIEnv*, jclass, jint method, jint ordinal) {
  const SiteName site = g_methods->site_name(MethodId{static_cast<std::uint32_t>(method)},
                                             SiteOrdinal{static_cast<std::uint16_t>(ordinal)});
  return static_cast<jlong>(static_cast<std::uint64_t>(site.bci) << 32 |
                            static_cast<std::uint32_t>(site.line));
}

}  // namespace

void answer_excerpts_with(const MethodTable& methods) noexcept { g_methods = &methods; }

std::vector<JNINativeMethod> excerpt_natives() {
  return {native<begin_excerpt>("beginExcerpt", "(JJI)J"),
          native<end_excerpt>("endExcerpt", "(JJ)[B"), native<methods>("methods", "(I)[B"),
          native<skipped>("skipped", "()[B"), native<site>("site", "(II)J")};
}

}  // namespace copse::jvm
