// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A tape as the text of one C function over plain doubles:
//
//   void NAME(double* restrict a0, …, double* restrict a4,
//             double (*const* calc)(const void*, double, double, double), const void* const* data)
//
// with the tape's arrays as arguments, and the functions that it calls: function k is calc[k](data[k], …).
// Compiled with -ffp-contract=off and without -ffast-math it has the
// bits of the machine code (generate/machine_code.hpp). It needs C99 and math.h.
#pragma once

#include <string>

#include "generate/operation_order.hpp"
#include "math/tape.hpp"

namespace trammel {

std::string print_c(const Tape& tape, const std::string& name,
                    OperationOrder order = OperationOrder::recorded);

}  // namespace trammel
