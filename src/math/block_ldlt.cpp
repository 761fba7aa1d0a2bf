// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The block-sparse LDLᵀ on doubles.
#include "math/block_operations.hpp"

namespace trammel {

template void factorise<double>(const BlockProgram&, const BlockFactor<double>&, double);
template void solve<double>(const BlockProgram&, const BlockFactor<double>&, double*);
template void factorise_and_solve<double>(const BlockProgram&, const BlockFactor<double>&, double,
                                          double*);
template void solve_transposed<double>(const BlockProgram&, const BlockFactor<double>&, double*);
template void factorise_blocks<double>(const BlockProgram&, const BlockFactor<double>&, double);
template void solve_blocks<double>(const BlockProgram&, const BlockFactor<double>&, double*);

}  // namespace trammel
