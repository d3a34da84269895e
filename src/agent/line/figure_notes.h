// Carries the figures of encoders from agents to the command.
#pragma once

#include <string>
#include <vector>

#include "agent/line/note.h"
#include "base/scheme_facts.h"

namespace copse::agent {

// `path`: of the JVM's report.
std::vector<Note> notes_of(const std::string& path, const EncoderFigures& figures);

// Returns the figures in the notes of all JVMs, in the order of the notes.
std::vector<EncoderFigures> figures_in(const std::vector<Note>& notes);

}  // namespace copse::agent
