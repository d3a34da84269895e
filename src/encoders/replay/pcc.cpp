#include "encoders/replay/pcc.h"

#include <cmath>

namespace copse::encoders {

double expected_collisions(double contexts, int bits) {
  const double values = std::ldexp(1.0, bits);
  return contexts + values * std::expm1(contexts * std::log1p(-1.0 / values));
}

}  // namespace copse::encoders
