// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Joints and springs of a picture. Rails of sliding joints lie behind the bodies; the symbols of
// the joints are drawn over them, since a joint is usually inside the bodies it connects.
#pragma once

#include "report/camera.hpp"
#include "report/svg.hpp"

namespace trammel {

// Lines along which something slides on the ground, as long as its travel in the run.
void draw_rails(SvgWriter& svg, const Camera& camera, const Results& results, const Moment& now);

// `size`: half the extent of a symbol, m.
void draw_joints(SvgWriter& svg, const Camera& camera, const Scene& scene, const Moment& now,
                 double size);

void draw_springs(SvgWriter& svg, const Camera& camera, const Scene& scene, const Moment& now,
                  double size);

}  // namespace trammel
