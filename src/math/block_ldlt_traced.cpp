// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The block-sparse LDLᵀ on numbers that write down what is done with them, small programs only. Runs once
// per mechanism: compiled for size of the build, as generate/traced_kernel.cpp is (CMakeLists.txt).
#include "math/block_operations.hpp"
#include "math/trace.hpp"

namespace trammel {

template void factorise<Traced>(const BlockProgram&, const BlockFactor<Traced>&, Traced);
template void solve<Traced>(const BlockProgram&, const BlockFactor<Traced>&, Traced*);
template void factorise_and_solve<Traced>(const BlockProgram&, const BlockFactor<Traced>&, Traced,
                                          Traced*);

}  // namespace trammel
