// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The time that the page shows, and how it moves: play, pause, scrub, speed, loop. One frame loop
// for all who follow it, asleep when nothing changes.
import { h } from "./dom";
import { set_icon } from "./icons";
import { make_time_format, short } from "./format";
import { nice_below } from "./math";

export interface FrameStatistics {
  count: number;
  times: number[]; // ms of the page's own work, the last frames
}

type Follower = (t: number) => void;

// A run should take about this long to watch.
const GOOD_LENGTH = 12; // s

export class Player {
  t = 0;
  playing = false;
  loop = true;
  speed: number; // s of the run per s of the reader
  readonly default_speed: number;
  readonly speeds: number[];
  readonly statistics: FrameStatistics = { count: 0, times: [] };
  readonly format_time: (t: number) => string;

  private readonly followers: Follower[] = [];
  private readonly state_followers: (() => void)[] = [];
  private last_frame = 0;
  private scheduled = false;

  // Events on the time axis.
  constructor(readonly t_end: number, readonly marks: { t: number; name: string }[] = []) {
    this.format_time = make_time_format(t_end);
    const ideal = t_end > 0 ? t_end / GOOD_LENGTH : 1;
    // real time where it is not too short or too long
    this.default_speed = ideal > 0.12 && ideal < 5 ? 1 : nice_below(ideal * 1.2);
    this.speed = this.default_speed;
    const speeds = new Set<number>([1]);
    for (let k = -2; k <= 2; ++k) {
      for (const digit of [1, 2, 5]) {
        const value = digit * 10 ** (Math.floor(Math.log10(this.default_speed)) + k);
        if (value >= this.default_speed / 60 && value <= this.default_speed * 25) {
          speeds.add(Number(value.toPrecision(3)));
        }
      }
    }
    this.speeds = [...speeds].sort((a, b) => a - b);
  }

  // Called in each frame with the time to show.
  follow(follower: Follower): void {
    this.followers.push(follower);
  }
  // Called when playing, speed or loop changed.
  follow_state(follower: () => void): void {
    this.state_followers.push(follower);
  }

  play(): void {
    if (this.t_end <= 0) return;
    if (this.t >= this.t_end) this.t = 0;
    this.playing = true;
    this.last_frame = 0;
    this.changed();
  }
  pause(): void {
    this.playing = false;
    this.changed();
  }
  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }
  seek(t: number): void {
    this.t = Math.min(this.t_end, Math.max(0, t));
    this.request();
  }
  set_speed(speed: number): void {
    this.speed = speed;
    this.changed();
  }
  change_speed(step: number): void {
    const at = this.speeds.findIndex((speed) => speed >= this.speed);
    const next = this.speeds[Math.min(this.speeds.length - 1, Math.max(0, at + step))];
    if (next !== undefined) this.set_speed(next);
  }
  set_loop(loop: boolean): void {
    this.loop = loop;
    this.changed();
  }

  private changed(): void {
    for (const follower of this.state_followers) follower();
    this.request();
  }

  // Asks for a frame.
  request(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    const begin = performance.now();
    this.scheduled = false;
    if (this.playing) {
      // after a pause of the browser (hidden page) go on where it stood
      const elapsed = this.last_frame > 0 ? Math.min(0.1, (now - this.last_frame) / 1000) : 0;
      this.advance(elapsed);
      this.last_frame = now;
    }
    for (const follower of this.followers) follower(this.t);
    this.statistics.count += 1;
    this.statistics.times.push(performance.now() - begin);
    if (this.statistics.times.length > 600) this.statistics.times.splice(0, 300);
    if (this.playing) this.request();
  }

  private advance(elapsed: number): void {
    this.t += elapsed * this.speed;
    if (this.t < this.t_end) return;
    if (this.loop) {
      this.t = this.t_end > 0 ? this.t % this.t_end : 0;
    } else {
      this.t = this.t_end;
      this.playing = false;
      for (const follower of this.state_followers) follower();
    }
  }
}

export function describe_speed(speed: number): string {
  if (speed >= 0.1) return `${short(speed, 3)}×`;
  return `1/${short(1 / speed, 3)}×`;
}

// The bar below the picture.
export function make_transport(player: Player): HTMLElement {
  const button = (name: string, label: string, action: () => void) => {
    const element = h("button", { type: "button", class: "tool", "aria-label": label, title: label });
    element.addEventListener("click", action);
    set_icon(element, name);
    return element;
  };
  const start = button("start", "To the start", () => player.seek(0));
  const play = button("play", "Play", () => player.toggle());
  play.classList.add("primary");
  play.id = "play";
  const loop = button("loop", "Loop", () => player.set_loop(!player.loop));
  loop.id = "loop";
  const slider = h("input", {
    type: "range",
    id: "scrub",
    min: 0,
    max: player.t_end > 0 ? player.t_end : 1,
    step: "any",
    value: 0,
    "aria-label": "Time",
    disabled: player.t_end <= 0,
  });
  slider.addEventListener("input", () => player.seek(Number(slider.value)));
  const marks = h("datalist", { id: "event-marks" });
  for (const mark of player.marks) {
    marks.append(h("option", { value: mark.t, label: `${mark.name}, ${short(mark.t, 6)} s` }));
  }
  if (player.marks.length > 0) slider.setAttribute("list", marks.id);
  const time = h("output", { class: "time", id: "time", for: "scrub" });
  const speed = h("select", { id: "speed", "aria-label": "Speed", title: "Speed" });
  for (const value of player.speeds) {
    speed.append(h("option", { value }, describe_speed(value)));
  }
  speed.addEventListener("change", () => player.set_speed(Number(speed.value)));

  const end = ` / ${short(player.t_end, 5)} s`;
  let shown = "";
  player.follow((t) => {
    const text = player.format_time(t);
    if (text === shown) return;
    shown = text;
    time.textContent = text + end;
    slider.value = String(t);
    slider.setAttribute("aria-valuetext", `${text} seconds`);
  });
  const show_state = () => {
    set_icon(play, player.playing ? "pause" : "play");
    const label = player.playing ? "Pause" : "Play";
    play.setAttribute("aria-label", label);
    play.title = `${label} (space)`;
    loop.setAttribute("aria-pressed", String(player.loop));
    speed.value = String(player.speed);
  };
  player.follow_state(show_state);
  show_state();
  return h(
    "div",
    { class: "transport", role: "group", "aria-label": "Playback" },
    start, play, slider, marks, time, speed, loop,
  );
}
