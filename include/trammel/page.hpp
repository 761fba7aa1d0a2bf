// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Pages (docs/reference/page.md): one HTML file that opens anywhere, without a server or network, with the
// mechanism in 3D, plots and a summary. All throw FileError, also where the library was built without
// pages because node and npm were missing.
#pragma once

#include <string>
#include <vector>

#include "trammel/paper.hpp"
#include "trammel/results.hpp"

namespace trammel {

// Was the library built with pages?
bool has_page();

void write_page(const Results& results, const std::string& path);

// Several runs overlaid, under `labels`, or without them under what tells them apart.
void write_page(const std::vector<Results>& runs, const std::string& path,
                const std::vector<std::string>& labels = {});

// The paper's figures and tables.
void write_paper_page(const PaperStudy& study, const std::string& path);

}  // namespace trammel
