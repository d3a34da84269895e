// Moves line numbers, local variables and type annotations with the code. The tables keep their
// size: they are copied and their bytecode indices patched.
#pragma once

#include <cstdint>
#include <span>

#include "base/byte_writer.h"
#include "classfile/code_layout.h"

namespace copse::classfile {

// Append the attribute's new content to `out`. Return false if malformed. A bytecode index inside
// an instruction, which some tools write, moves with that instruction.
//
// Entries that began at bci 0 still begin there: the entry code belongs to the first line, and
// parameters are visible in it.
bool remap_line_numbers(std::span<const std::uint8_t> content, const CodeLayout& layout,
                        ByteWriter& out);
bool remap_local_variables(std::span<const std::uint8_t> content, const CodeLayout& layout,
                           ByteWriter& out);
// `range_indices`: new index of each entry of the exception table.
bool remap_type_annotations(std::span<const std::uint8_t> content, const CodeLayout& layout,
                            std::span<const std::uint16_t> range_indices, ByteWriter& out);

}  // namespace copse::classfile
