#include "agent/line/figure_notes.h"

#include <map>

namespace copse::agent {

std::vector<Note> notes_of(const std::string& path, const EncoderFigures& figures) {
  StackNote stack{.path = path, .encoder = figures.name};
  if (figures.stack) {
    stack.tokens = figures.tokens;
    stack.entries = figures.stack->entries;
    stack.most_entries = figures.stack->most_entries;
    stack.has_unexpected = figures.stack->has_unexpected ? 1 : 0;
    stack.unexpected = figures.stack->unexpected;
    stack.most_unexpected = figures.stack->most_unexpected;
  }
  std::vector<Note> notes = {std::move(stack)};
  for (const SchemeFact& fact : figures.facts.values) {
    notes.push_back(FactNote{path, fact.name, fact.value});
  }
  for (const EpochFacts& epoch : figures.facts.epochs) {
    notes.push_back(EpochNote{path, epoch.trigger, epoch.edges, epoch.max_id, epoch.ns});
  }
  return notes;
}

// A JVM's notes may stand between those of another, but behind its StackNote.
std::vector<EncoderFigures> figures_in(const std::vector<Note>& notes) {
  std::vector<EncoderFigures> jvms;
  std::map<std::string, std::size_t> index;  // by path
  const auto of_path = [&](const std::string& path) -> EncoderFigures* {
    const auto found = index.find(path);
    return found == index.end() ? nullptr : &jvms[found->second];
  };
  for (const Note& note : notes) {
    if (const auto* stack = std::get_if<StackNote>(&note)) {
      index[stack->path] = jvms.size();
      EncoderFigures& jvm =
          jvms.emplace_back(EncoderFigures{stack->encoder, stack->tokens, {}, {}});
      if (stack->tokens == 0) continue;
      jvm.stack = StackFigures{stack->entries, stack->most_entries, stack->has_unexpected != 0,
                               stack->unexpected, stack->most_unexpected};
    } else if (const auto* fact = std::get_if<FactNote>(&note)) {
      if (auto* jvm = of_path(fact->path)) jvm->facts.values.push_back({fact->name, fact->value});
    } else if (const auto* epoch = std::get_if<EpochNote>(&note)) {
      if (auto* jvm = of_path(epoch->path)) {
        jvm->facts.epochs.push_back({epoch->trigger, epoch->edges, epoch->max_id, epoch->ns});
      }
    }
  }
  return jvms;
}

}  // namespace copse::agent
