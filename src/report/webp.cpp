// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/webp.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "trammel/error.hpp"

#ifdef TRAMMEL_HAS_WEBP
#include <png.h>
#include <webp/encode.h>
#include <webp/mux.h>
#endif

namespace trammel {

#ifdef TRAMMEL_HAS_WEBP

bool has_webp() { return true; }

struct WebpAnimation::Encoder {
  struct Delete {
    void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
  };
  std::string path;
  int width, height;
  WebPConfig config{};
  std::unique_ptr<WebPAnimEncoder, Delete> handle;

  [[noreturn]] void fail(const std::string& reason) const {
    throw FileError(fmt::format("{}: cannot be written: {}", path, reason));
  }
  void check(int ok) const {
    if (ok == 0) fail(fmt::format("libwebp: {}", WebPAnimEncoderGetError(handle.get())));
  }
  std::vector<std::uint8_t> decode(const std::string& png) const {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const int readable = png_image_begin_read_from_memory(&image, png.data(), png.size());
    image.format = PNG_FORMAT_RGBA;
    std::vector<std::uint8_t> pixels(readable != 0 ? PNG_IMAGE_SIZE(image) : 0);
    if (readable == 0 || png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0) {
      const std::string reason = image.message;
      png_image_free(&image);
      fail("libpng: " + reason);
    }
    if (static_cast<int>(image.width) != width || static_cast<int>(image.height) != height) {
      fail(fmt::format("a frame has {} × {} pixels instead of {} × {}", image.width, image.height,
                       width, height));
    }
    return pixels;
  }
};

WebpAnimation::WebpAnimation(int width, int height, int quality, std::string path)
    : encoder_(std::make_unique<Encoder>()) {
  encoder_->path = std::move(path);
  encoder_->width = width;
  encoder_->height = height;
  WebPAnimEncoderOptions options;
  if (WebPAnimEncoderOptionsInit(&options) == 0 || WebPConfigInit(&encoder_->config) == 0) {
    encoder_->fail("libwebp has another version than its header");
  }
  options.allow_mixed = 1;  // of each frame the smaller one: with or without loss
  encoder_->config.quality = static_cast<float>(quality);
  encoder_->config.method = 4;
  encoder_->handle.reset(WebPAnimEncoderNew(width, height, &options));
  if (!encoder_->handle) encoder_->fail("libwebp: no memory");
}

void WebpAnimation::add(const std::string& png, int milliseconds) {
  const std::vector<std::uint8_t> pixels = encoder_->decode(png);
  WebPPicture picture;
  if (WebPPictureInit(&picture) == 0) encoder_->fail("libwebp has another version than its header");
  picture.use_argb = 1;
  picture.width = encoder_->width;
  picture.height = encoder_->height;
  const int ok =
      WebPPictureImportRGBA(&picture, pixels.data(), 4 * encoder_->width) != 0 &&
      WebPAnimEncoderAdd(encoder_->handle.get(), &picture, milliseconds, &encoder_->config) != 0;
  WebPPictureFree(&picture);
  encoder_->check(ok);
}

std::string WebpAnimation::finish(int milliseconds) {
  encoder_->check(WebPAnimEncoderAdd(encoder_->handle.get(), nullptr, milliseconds, nullptr));
  WebPData data;
  WebPDataInit(&data);
  const int ok = WebPAnimEncoderAssemble(encoder_->handle.get(), &data);
  std::string bytes;
  if (ok != 0) bytes.assign(data.bytes, data.bytes + data.size);
  WebPDataClear(&data);
  encoder_->check(ok);
  return bytes;
}

#else

bool has_webp() { return false; }

struct WebpAnimation::Encoder {};

WebpAnimation::WebpAnimation(int, int, int, std::string path) {
  throw FileError(path +
                  ": cannot be written: this build of Trammel has no animations, because "
                  "libwebp or libpng was missing when it was built (Debian: libwebp-dev, "
                  "libpng-dev)");
}
void WebpAnimation::add(const std::string&, int) {}
std::string WebpAnimation::finish(int) { return {}; }

#endif

WebpAnimation::~WebpAnimation() = default;
WebpAnimation::WebpAnimation(WebpAnimation&&) noexcept = default;
WebpAnimation& WebpAnimation::operator=(WebpAnimation&&) noexcept = default;

}  // namespace trammel
