// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures as SVG (trammel/picture.hpp), of moments that are given: interpolation and files are the
// business of src/analyses/picture.cpp.
#pragma once

#include <string>
#include <vector>

#include "report/camera.hpp"
#include "report/picture_meshes.hpp"
#include "trammel/picture.hpp"

namespace trammel {

// For pictures of all these moments.
Camera make_camera(const Results& results, const std::vector<Moment>& moments,
                   const PictureOptions& options);

// `time`: as it is written. Throws std::invalid_argument where energies are missing.
std::string draw_moment(const Results& results, const Moment& now, const std::string& time,
                        const Camera& camera, const PictureMeshes& meshes,
                        const PictureOptions& options);

}  // namespace trammel
