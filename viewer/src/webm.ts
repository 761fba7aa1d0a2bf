// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A WebM file of one video track: an EBML header and a segment with its duration, the track, the places
// of the key frames (so that players can seek) and clusters, one for each key frame.
// https://www.matroska.org/technical/elements.html

export interface EncodedFrame {
  time: number; // ms
  key: boolean;
  data: Uint8Array;
}
export interface Track {
  codec: "V_VP8" | "V_VP9";
  width: number;
  height: number;
  frame_ms: number; // between two frames
}

function join(parts: Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

// Big-endian, in so many bytes.
function integer(value: number, width = 8): Uint8Array {
  const bytes = new Uint8Array(width);
  for (let k = width - 1, rest = value; k >= 0; --k, rest = Math.floor(rest / 256)) bytes[k] = rest % 256;
  return bytes;
}

function double(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

// ID, size in eight bytes, content.
function element(id: number, ...content: Uint8Array[]): Uint8Array {
  const width = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1;
  const body = join(content);
  const size = integer(body.length);
  size[0] = 0x01; // a number of eight bytes
  return join([integer(id, width), size, body]);
}

const HEADER = element(0x1a45dfa3,
  element(0x4286, integer(1)), element(0x42f7, integer(1)), // version
  element(0x42f2, integer(4)), element(0x42f3, integer(8)), // longest ID and size
  element(0x4282, text("webm")), element(0x4287, integer(4)), element(0x4285, integer(2)));

// A block holds the time since its cluster in 16 bits, with sign.
const LONGEST_CLUSTER = 30_000; // ms

function make_cluster(frames: EncodedFrame[]): Uint8Array {
  const begin = (frames[0] as EncodedFrame).time;
  return element(0x1f43b675, element(0xe7, integer(begin)), ...frames.map(({ time, key, data }) =>
    element(0xa3, Uint8Array.of(0x81), integer(time - begin, 2), Uint8Array.of(key ? 0x80 : 0), data)));
}

export function make_webm(track: Track, frames: EncodedFrame[]): Uint8Array {
  const groups: EncodedFrame[][] = [];
  for (const frame of frames) {
    const group = groups[groups.length - 1];
    const begin = group?.[0]?.time ?? 0;
    if (group && !frame.key && frame.time - begin < LONGEST_CLUSTER) group.push(frame);
    else groups.push([frame]);
  }
  const clusters = groups.map(make_cluster);
  const last = frames[frames.length - 1]?.time ?? 0;
  const info = element(0x1549a966,
    element(0x2ad7b1, integer(1_000_000)), // ns in a unit of time
    element(0x4489, double(last + track.frame_ms)),
    element(0x4d80, text("Trammel")), element(0x5741, text("Trammel")));
  const tracks = element(0x1654ae6b, element(0xae,
    element(0xd7, integer(1)), element(0x73c5, integer(1)), element(0x83, integer(1)), // number, UID, video
    element(0x86, text(track.codec)),
    element(0x23e383, integer(Math.round(track.frame_ms * 1e6))),
    element(0xe0, element(0xb0, integer(track.width)), element(0xba, integer(track.height)))));
  // places of clusters are measured from the content of the segment; numbers of eight bytes keep the
  // size of the cues the same
  const make_cues = (place: number) => {
    let at = place;
    return element(0x1c53bb6b, ...clusters.flatMap((cluster, k) => {
      const [frame] = groups[k] as [EncodedFrame];
      const cue = element(0xbb, element(0xb3, integer(frame.time)),
                          element(0xb7, element(0xf7, integer(1)), element(0xf1, integer(at))));
      at += cluster.length;
      return frame.key ? [cue] : [];
    }));
  };
  const cues = make_cues(info.length + tracks.length + make_cues(0).length);
  return join([HEADER, element(0x18538067, info, tracks, cues, ...clusters)]);
}
