// Fields of a query's methods in which objects of lazy identifiers occur.
#pragma once

#include <cstddef>
#include <vector>

#include "ptql/plan/plan.h"

namespace copse::ptql {

struct ObjectFields {
  bool receiver = false;
  bool result = false;
  bool thrown = false;
  std::vector<bool> parameters{};

  bool parameter(std::size_t number) const {
    return number < parameters.size() && parameters[number];
  }
  void add(const ObjectFields& other);
};

ObjectFields object_fields_of(const Plan& plan);

}  // namespace copse::ptql
