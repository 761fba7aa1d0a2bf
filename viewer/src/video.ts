// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The run as a video, encoded by the browser frame by frame: as many frames and as smooth however fast
// the machine is.
import type { View } from "./view";
import type { EncodedFrame, Track } from "./webm";
import { make_webm } from "./webm";

const RATE = 30; // frames per second
const KEY = 2 * RATE; // frames from one key frame to the next
const MOST_WAITING = 4; // frames in the encoder
const CODECS: [string, Track["codec"]][] = [["vp09.00.51.08", "V_VP9"], ["vp8", "V_VP8"]];

export interface VideoOptions {
  t_end: number; // s of the run
  speed: number; // s of the run per second of the video
  caption: (t: number) => string;
  on_progress: (part: number) => void;
  is_cancelled: () => boolean;
}

export function can_record_video(): boolean {
  return typeof VideoEncoder !== "undefined";
}

async function find_config(width: number, height: number): Promise<[VideoEncoderConfig, Track["codec"]]> {
  const bitrate = Math.min(20e6, Math.max(2e6, 0.16 * RATE * width * height));
  for (const [codec, name] of CODECS) {
    const config: VideoEncoderConfig = { codec, width, height, bitrate, framerate: RATE, latencyMode: "realtime" };
    if ((await VideoEncoder.isConfigSupported(config)).supported) return [config, name];
  }
  throw new Error("this browser has no encoder for WebM.");
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

// null if it was cancelled.
export async function record_video(view: View, options: VideoOptions): Promise<Blob | null> {
  const canvas = view.make_canvas();
  const context = canvas.getContext("2d", { alpha: false }) as CanvasRenderingContext2D;
  const [config, codec] = await find_config(canvas.width, canvas.height);
  const frames: EncodedFrame[] = [];
  let failure: Error | null = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ time: Math.round(chunk.timestamp / 1000), key: chunk.type === "key", data });
    },
    error: (error) => (failure = error),
  });
  encoder.configure(config);
  const last = Math.max(1, Math.ceil((options.t_end / options.speed) * RATE));
  for (let k = 0; k <= last; ++k) {
    const t = Math.min(options.t_end, (k / RATE) * options.speed);
    view.show(t);
    view.compose(context, options.caption(t));
    const frame = new VideoFrame(canvas, { timestamp: Math.round((k * 1e6) / RATE) });
    encoder.encode(frame, { keyFrame: k % KEY === 0 });
    frame.close();
    options.on_progress(k / last);
    do await wait(0); while (encoder.encodeQueueSize > MOST_WAITING && !failure);
    if (failure) throw failure;
    if (options.is_cancelled()) {
      encoder.close();
      return null;
    }
  }
  await encoder.flush();
  encoder.close();
  const bytes = make_webm({ codec, width: canvas.width, height: canvas.height, frame_ms: 1000 / RATE }, frames);
  return new Blob([bytes as BlobPart], { type: "video/webm" });
}
