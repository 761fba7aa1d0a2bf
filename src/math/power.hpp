// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// x^y for step-size control, from + − × ÷ only. The C library picks its pow by processor, and the
// last bit may differ between processors; this one gives the same bits everywhere. Accurate to
// about 1e-12 relative for x in [1e-300, 1e300] and |y| ≤ 2, which is far more than a step needs.
#pragma once

namespace trammel {

double power(double x, double y);

}  // namespace trammel
