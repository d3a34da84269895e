#include "classfile/debug_tables.h"

#include "base/byte_reader.h"

namespace copse::classfile {
namespace {

constexpr int kMaxAnnotationNesting = 64;

std::uint32_t moved_start(std::uint32_t bci, const CodeLayout& layout) {
  return bci == 0 ? 0 : layout.nearest_label(bci);
}

// Patches a start and length pair that `in` is about to read. `base`: where the table begins in
// out. False: it reaches beyond the code; nothing is patched.
bool remap_range(ByteReader& in, std::size_t base, const CodeLayout& layout, ByteWriter& out) {
  const std::size_t at = base + in.position();
  const std::uint32_t start = in.u2();
  const std::uint32_t end = start + in.u2();
  if (!in.ok() || end > layout.original().code().size()) return false;
  const std::uint32_t new_start = moved_start(start, layout);
  // An empty range stays empty, also at bci 0.
  const std::uint32_t new_end = end == start ? new_start : layout.nearest_label(end);
  out.patch_u2(at, new_start);
  out.patch_u2(at + 2, new_end - new_start);
  return true;
}

// JVMS 4.7.16.1. `nesting` bounds the recursion on hostile input.
bool skip_annotation(ByteReader& in, int nesting);

bool skip_element_value(ByteReader& in, int nesting) {
  if (nesting > kMaxAnnotationNesting) return false;
  switch (in.u1()) {
    case 'e':
      in.skip(4);
      break;
    case '@':
      return skip_annotation(in, nesting + 1);
    case '[': {
      const std::uint32_t count = in.u2();
      for (std::uint32_t i = 0; i < count; ++i) {
        if (!skip_element_value(in, nesting + 1)) return false;
      }
      break;
    }
    default:
      in.skip(2);
  }
  return in.ok();
}

bool skip_annotation(ByteReader& in, int nesting) {
  in.skip(2);  // type
  const std::uint32_t pairs = in.u2();
  for (std::uint32_t i = 0; i < pairs; ++i) {
    in.skip(2);  // name
    if (!skip_element_value(in, nesting)) return false;
  }
  return in.ok();
}

void remap_instruction(ByteReader& in, std::size_t base, const CodeLayout& layout,
                       ByteWriter& out) {
  const std::size_t at = base + in.position();
  const std::uint32_t bci = in.u2();
  if (!in.ok() || bci > layout.original().code().size()) return;
  out.patch_u2(at, layout.nearest_instruction(bci));
}

// JVMS 4.7.20.1, the target kinds that occur within code. The JVM never reads these annotations,
// so indices beyond the code do no harm there: they stay as they are.
bool remap_target(ByteReader& in, std::size_t base, const CodeLayout& layout,
                  std::span<const std::uint16_t> range_indices, ByteWriter& out) {
  const std::uint8_t target = in.u1();
  switch (target) {
    case 0x40:  // local variable
    case 0x41: {
      const std::uint32_t count = in.u2();
      for (std::uint32_t i = 0; i < count; ++i) {
        remap_range(in, base, layout, out);
        in.skip(2);  // index
        if (!in.ok()) return false;
      }
      return in.ok();
    }
    case 0x42: {  // exception parameter: an index into the exception table
      const std::size_t at = base + in.position();
      const std::uint16_t index = in.u2();
      if (index < range_indices.size() && in.ok()) out.patch_u2(at, range_indices[index]);
      return in.ok();
    }
    case 0x43:  // instanceof, new, method references
    case 0x44:
    case 0x45:
    case 0x46:
      remap_instruction(in, base, layout, out);
      return in.ok();
    case 0x47:  // casts and type arguments
    case 0x48:
    case 0x49:
    case 0x4A:
    case 0x4B:
      remap_instruction(in, base, layout, out);
      in.skip(1);
      return in.ok();
    default:
      return false;
  }
}

}  // namespace

bool remap_line_numbers(std::span<const std::uint8_t> content, const CodeLayout& layout,
                        ByteWriter& out) {
  const std::size_t base = out.size();
  out.bytes(content);
  ByteReader in(content);
  const std::uint32_t count = in.u2();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t at = base + in.position();
    const std::uint32_t start = in.u2();
    in.skip(2);
    if (!in.ok() || start > layout.original().code().size()) return false;
    out.patch_u2(at, moved_start(start, layout));
  }
  return in.ok() && in.at_end();
}

bool remap_local_variables(std::span<const std::uint8_t> content, const CodeLayout& layout,
                           ByteWriter& out) {
  const std::size_t base = out.size();
  out.bytes(content);
  ByteReader in(content);
  const std::uint32_t count = in.u2();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!remap_range(in, base, layout, out)) return false;
    in.skip(6);  // name, type, local
  }
  return in.ok() && in.at_end();
}

bool remap_type_annotations(std::span<const std::uint8_t> content, const CodeLayout& layout,
                            std::span<const std::uint16_t> range_indices, ByteWriter& out) {
  const std::size_t base = out.size();
  out.bytes(content);
  ByteReader in(content);
  const std::uint32_t count = in.u2();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!remap_target(in, base, layout, range_indices, out)) return false;
    in.skip(2u * in.u1());  // type path
    if (!skip_annotation(in, 0)) return false;
  }
  return in.ok() && in.at_end();
}

}  // namespace copse::classfile
