// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// PNG pictures → an animation in WebP, by libwebp and libpng. Without them at build time there is none.
#pragma once

#include <memory>
#include <string>

namespace trammel {

bool has_webp();

class WebpAnimation {
 public:
  // quality: 0 to 100. Throws FileError that names `path`, as all of it.
  WebpAnimation(int width, int height, int quality, std::string path);
  ~WebpAnimation();
  WebpAnimation(WebpAnimation&&) noexcept;
  WebpAnimation& operator=(WebpAnimation&&) noexcept;

  // A frame as the bytes of a PNG file; shown from `milliseconds` on.
  void add(const std::string& png, int milliseconds);
  // The bytes of the file; the last frame is shown until then, and the first one comes again.
  std::string finish(int milliseconds);

 private:
  struct Encoder;
  std::unique_ptr<Encoder> encoder_;
};

}  // namespace trammel
