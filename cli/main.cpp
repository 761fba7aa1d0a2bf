// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "trammel/trammel.hpp"

int main() { std::printf("trammel %s\n", trammel::version()); }
