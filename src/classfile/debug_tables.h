// Line numbers, local variables and type annotations follow the code to its new places. The tables
// keep their size: they are copied and their bytecode indices patched.
#pragma once

#include <cstdint>
#include <span>

#include "base/byte_writer.h"
#include "classfile/code_layout.h"

namespace copse::classfile {

// Each appends the attribute's new content to `out`; false: malformed. Bytecode indices that are
// no start of an instruction, which some tools write, move with the instruction they are in.
//
// What began at bci 0 still begins there: the entry code belongs to the first line, and parameters
// are visible in it.
bool remap_line_numbers(std::span<const std::uint8_t> content, const CodeLayout& layout,
                        ByteWriter& out);
bool remap_local_variables(std::span<const std::uint8_t> content, const CodeLayout& layout,
                           ByteWriter& out);
// `range_indices`: where each entry of the exception table went.
bool remap_type_annotations(std::span<const std::uint8_t> content, const CodeLayout& layout,
                            std::span<const std::uint16_t> range_indices, ByteWriter& out);

}  // namespace copse::classfile
