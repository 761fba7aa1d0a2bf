// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures of the mechanism for papers, slides and READMEs: at one time, or moving.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/progress.hpp"
#include "trammel/results.hpp"

namespace trammel {

struct PictureOptions {
  std::optional<double> t;        // s; empty: the first output time
  int width = 800;                // pixels
  int height = 0;                 // pixels, of the mechanism; 0: 0.6 width
  std::optional<double> azimuth;  // rad, of the camera about the vertical; empty: by the motion
  std::optional<double>
      elevation;          // rad, above the horizon; empty: 20°, a planar model from the front
  double trail = 0.0;     // s of each body's path before t
  bool labels = false;    // names of bodies, where there are not more than 20
  bool energies = false;  // plot of the energies below
};

// Between output times the state is interpolated (interpolate.hpp). Throws std::invalid_argument when the
// results have no positions or the time is outside.
std::string draw_svg(const Results& results, const PictureOptions& options = {});

// SVG, or PNG by way of the program rsvg-convert, as the ending says. Returns remarks: why a picture between
// output times is less exact than usual. Throws FileError too.
std::vector<std::string> write_picture(const Results& results, const std::string& path,
                                       const PictureOptions& options = {});

struct AnimationOptions {
  PictureOptions picture = [] {  // t is not used
    PictureOptions small;
    small.width = 640;
    return small;
  }();
  double fps = 25.0;               // frames per second
  std::optional<double> from, to;  // s of the run; empty: all of it
  std::optional<double> speed;     // s of the run per second shown
  std::optional<double> duration;  // s shown. Neither: in real time, at most 12 s
  int quality = 80;                // of the compression, 0 to 100
};

struct Animation {
  int frames = 0;
  double duration = 0.0;             // s shown
  double speed = 1.0;                // s of the run per second shown
  std::vector<std::string> remarks;  // as of write_picture
};

// Whether the library was built with libwebp and libpng.
bool has_animations();

// An endless animation in WebP; a progress callback that returns false ends it without a file. Throws
// std::invalid_argument and FileError as above.
Animation write_animation(const Results& results, const std::string& path,
                          const AnimationOptions& options = {},
                          const ProgressCallback& progress = {});

}  // namespace trammel
