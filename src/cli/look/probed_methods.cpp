#include "cli/look/probed_methods.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/grouped.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "graph/classes/class_calls.h"
#include "graph/classes/class_path.h"
#include "ptql/engine/class_outlines.h"

namespace copse::cli {
namespace {

std::string identifier_names(const ptql::Query& query, ptql::IdentifierSet set) {
  std::string names;
  for (std::size_t i = 0; i < query.identifiers.size(); ++i) {
    if ((set & ptql::set_of(i)) == 0) continue;
    names += (names.empty() ? "" : ", ") + query.identifiers[i].name;
  }
  return names;
}

// As in Java's sources.
std::string name_of_class(const classfile::ClassSummary& outline) {
  std::string name = outline.name;
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

// Suggests the class meant by a query that names it by its last part alone, or misspelled. "" if the class exists or no
// name is near.
std::string class_guess(const ptql::ClassOutlines& outlines, const std::string& typed) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    known.push_back(name_of_class(outlines[i]));
    if (known.back() == typed) return "";
  }
  return nearest(typed, known);
}

// A line for each identifier that no method can be, of those whose class a predicate names.
// `near_misses`: by identifier.
std::string lines_on_missing(const ptql::Plan& plan, const ptql::ClassOutlines& outlines,
                             ptql::IdentifierSet found,
                             const std::vector<std::string>& near_misses) {
  std::string lines;
  const ptql::Query& query = plan.query;
  for (std::size_t i = 0; i < query.identifiers.size(); ++i) {
    const ptql::Identifier& identifier = query.identifiers[i];
    if (identifier.relation != ptql::Relation::kMethodInvocation ||
        (found & ptql::set_of(i)) != 0) {
      continue;
    }
    std::string guess;
    for (const ptql::Predicate& predicate : query.predicates) {
      const ptql::FieldReference* field = predicate.left.field();
      const ptql::Value* literal =
          predicate.right.terms.empty() ? nullptr : predicate.right.literal();
      if (guess.empty() && predicate.comparison == ptql::Comparison::kEqual && field != nullptr &&
          literal != nullptr && field->identifier == i &&
          (field->field == ptql::Field::kDeclaringClass ||
           field->field == ptql::Field::kImplementingClass)) {
        guess = class_guess(outlines, *literal->text());
      }
    }
    lines += "  none for " + identifier.name +
             (!near_misses[i].empty() ? "; " + printable(near_misses[i])
              : guess.empty()         ? ""
                                      : "; is the class " + printable(guess) + " meant?") +
             "\n";
  }
  return lines;
}

}  // namespace

Result<std::string> probed_methods_text(const ptql::Plan& plan,
                                        const std::vector<std::string>& class_paths) {
  ptql::ClassOutlines outlines;
  const std::size_t known_before = outlines.size();
  std::size_t unread = 0;
  for (const std::string& class_path : class_paths) {
    for (const std::string& entry : graph::class_path_entries(class_path)) {
      const auto read = [&](const std::string&, std::span<const std::uint8_t> bytes) {
        Result<graph::ClassCalls> calls = graph::read_class_calls(bytes);
        if (calls.ok()) {
          outlines.add(std::move(calls).value());
        } else {
          ++unread;
        }
      };
      if (Status status = graph::visit_classes(entry, read); !status) return status;
    }
  }
  std::string lines;
  std::size_t methods = 0;
  std::size_t chosen = 0;
  bool any_unsure = false;
  ptql::IdentifierSet found = 0;
  std::vector<std::string> near_misses(plan.query.identifiers.size());
  for (std::size_t i = known_before; i < outlines.size(); ++i) {
    const classfile::ClassSummary& outline = outlines[i];
    for (const classfile::MethodSummary& method : outline.methods) {
      if (!method.has_code()) continue;
      ++methods;
      bool certain = false;
      const ptql::MethodFacts facts = outlines.facts(outline, method, certain);
      const ptql::IdentifierSet sure = plan.filter.methods(facts);
      const ptql::IdentifierSet set = certain ? sure : plan.filter.methods_without_hierarchy(facts);
      for (std::size_t k = 0; k < near_misses.size(); ++k) {
        if (near_misses[k].empty()) near_misses[k] = plan.filter.near_miss(k, facts);
      }
      if (set == 0) continue;
      ++chosen;
      found |= set;
      const bool unsure = set != sure;
      any_unsure |= unsure;
      lines += "  " + printable(facts.implementing_class + "." + method.name + method.descriptor) +
               "  " + printable(identifier_names(plan.query, set)) + (unsure ? "  (?)" : "") + "\n";
    }
    if (std::ranges::none_of(outline.methods, &classfile::MethodSummary::may_lock)) continue;
    const ptql::MethodFacts sections = ptql::section_facts(name_of_class(outline));
    const ptql::IdentifierSet set = plan.filter.methods(sections);
    if (set == 0) continue;
    ++methods;
    ++chosen;
    found |= set;
    lines += "  " + printable(sections.implementing_class + "." + sections.name) + "  " +
             printable(identifier_names(plan.query, set)) + "\n";
  }
  std::string text = "Methods that get probes: " + grouped(chosen) + " of " +
                     counted(methods, "method") + " in " +
                     counted(outlines.size() - known_before, "class", "classes") + "\n" + lines;
  text += lines_on_missing(plan, outlines, found, near_misses);
  if (any_unsure) {
    text +=
        "  (?) unless a class that is not on this class path is the one that declares it first\n";
  }
  if (unread > 0) text += "  left out: " + counted(unread, "file") + " that cannot be read\n";
  return text;
}

}  // namespace copse::cli
