// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is plotted at first sight: the coordinates of the joints (those that turn on and on in a plot of
// their own, where they would flatten the others), and the loads of what drives the
// mechanism (drivers, motors, springs). Where there is no such thing: the position of the body that
// moves farthest, and the largest reactions.
import type { Channel, ChannelList } from "./channels";
import { calc_range, find_farthest } from "./channels";

export interface PlotChoice {
  title?: string;
  channels: string[];
  x?: string; // a channel; time where there is none
}

const HANDFUL = 6;

interface Extent {
  range: number;
  size: number; // largest absolute value
}

function calc_extent(channel: Channel): Extent {
  let low = Infinity;
  let high = -Infinity;
  for (const x of channel.values()) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return high >= low ? { range: high - low, size: Math.max(Math.abs(low), Math.abs(high)) } : { range: 0, size: 0 };
}

// Of up to two units, a handful that vary most within their unit, in the order of the model.
function choose(channels: Channel[], measure: (extent: Extent) => number): string[] {
  const sized = channels.slice(0, 400).map((channel) => ({ channel, value: measure(calc_extent(channel)) }));
  const units = [...new Set(sized.map(({ channel }) => channel.unit))].slice(0, 2);
  const largest = new Map(units.map((unit) =>
    [unit, Math.max(...sized.filter((entry) => entry.channel.unit === unit).map((entry) => entry.value))]));
  const relative = sized
    .filter(({ channel }) => largest.has(channel.unit))
    .map((entry) => ({ ...entry, value: entry.value / (largest.get(entry.channel.unit) || 1) }));
  const moving = relative.filter((entry) => entry.value > 1e-9);
  return (moving.length > 0 ? moving : relative)
    .sort((a, b) => b.value - a.value)
    .slice(0, HANDFUL)
    .map((entry) => entry.channel)
    .sort((a, b) => channels.indexOf(a) - channels.indexOf(b))
    .map((channel) => channel.id);
}

// Of many coordinates those of joints at which a driver or a force element acts.
function list_coordinates(list: ChannelList): Channel[] {
  const { scene } = list.run;
  const all = list.all.filter((channel) => channel.source === "coordinate");
  const acted = new Set([...scene.drivers, ...scene.forces].map(({ joint }) => scene.joints[joint]?.name));
  const some = all.filter((channel) => acted.has(channel.group));
  return all.length > HANDFUL && some.length > 0 ? some : all;
}

function choose_coordinates(list: ChannelList): PlotChoice[] {
  const coordinates = choose(list_coordinates(list), (extent) => extent.range);
  const turns = (id: string) => {
    const channel = list.find(id) as Channel;
    return channel.unit === "rad" && calc_extent(channel).range > 3 * Math.PI;
  };
  const turning = coordinates.filter(turns);
  const others = coordinates.filter((id) => !turns(id));
  if (turning.length > 0 && others.some((id) => list.find(id)?.unit === "rad")) {
    return [{ title: "Joint coordinates", channels: others }, { title: "Revolving joints", channels: turning }];
  }
  if (coordinates.length > 0) return [{ title: "Joint coordinates", channels: coordinates }];
  const body = find_farthest(list.run);
  const name = list.run.scene.bodies[body]?.name;
  if (name === undefined) return [{ title: "Positions", channels: [] }];
  const moving = [0, 1, 2]
    .filter((k) => calc_range(list.run, body, k) > 0)
    .map((k) => `${name}.position.${"xyz"[k]}`)
    .filter((id) => list.find(id));
  return [{ title: `Position of ${name}`, channels: moving }];
}

const SCALAR = /(^|\.)(torque|force)$/;
const COMPONENT = /(^|\.)(torque|force)\.[xyz]$/;

function choose_loads(list: ChannelList): PlotChoice {
  const by_size = (extent: Extent) => extent.size;
  const acting = list.all.filter((channel) => channel.source === "load" || channel.source === "element");
  const drivers = new Set(list.run.scene.drivers.map((driver) => driver.name));
  // those of drivers first, then force elements with one load, then components of applied forces
  const scalar = acting.filter((channel) => SCALAR.test(channel.quantity));
  const driving = scalar.filter((channel) => drivers.has(channel.group));
  const named = (channels: Channel[]) => ({ title: "Drive and spring loads", channels: choose(channels, by_size) });
  if (scalar.length > 0) return named([...driving, ...scalar.filter((channel) => !driving.includes(channel))]);
  const components = acting.filter((channel) => COMPONENT.test(channel.quantity) && calc_extent(channel).size > 0);
  if (components.length > 0) return { ...named(components), title: "Applied loads" };
  const reactions = list.all.filter((channel) => channel.quantity === "reaction_force.magnitude");
  if (reactions.length > 0) return { title: "Reaction forces", channels: choose(reactions, by_size) };
  const rates = list.all.filter((channel) => channel.source === "coordinate_rate");
  if (rates.length > 0) return { title: "Joint rates", channels: choose(rates, (extent) => extent.range) };
  const speeds = list.all.filter((channel) => channel.quantity === "speed");
  return { title: "Speeds", channels: choose(speeds, (extent) => extent.range) };
}

export function choose_plots(list: ChannelList): PlotChoice[] {
  return [...choose_coordinates(list), choose_loads(list)].filter((choice, k) => k === 0 || choice.channels.length > 0);
}
