import { describe, expect, it, vi } from "vitest";
import type { Channel } from "../src/channel/channel";
import { socketUrl } from "../src/channel/websocket";
import { WidgetChannel, type WidgetModel } from "../src/channel/widget";
import { Requests } from "../src/page/requests";
import { readTry } from "../src/ui/flockrows";
import { placeOf, rateAt } from "../src/ui/transport";

describe("the websocket's address", () => {
  it("keeps the token", () => {
    expect(socketUrl("/ws?token=abc", "http://127.0.0.1:8600/?token=abc")).toBe("ws://127.0.0.1:8600/ws?token=abc");
    expect(socketUrl("ws://localhost:1/ws?token=x", "http://localhost:1/")).toBe("ws://localhost:1/ws?token=x");
    expect(socketUrl("/ws", "https://host/")).toBe("wss://host/ws");
  });
});

it("carries JSON and frames over a widget's model", () => {
  const sent: unknown[] = [];
  let hear: (content: unknown, buffers: DataView[]) => void = () => undefined;
  const model: WidgetModel = {
    get: () => "",
    send: (content) => sent.push(content),
    on: (_, call) => (hear = call as typeof hear),
    off: () => undefined,
  };
  const channel = new WidgetChannel(model);
  const heard: unknown[] = [];
  channel.onJson((message) => heard.push(message));
  channel.onBinary((data) => heard.push(data.byteLength));
  hear('{"type":"bye","reason":"x"}', []);
  hear({ type: "frame" }, [new DataView(new ArrayBuffer(12))]);
  expect(heard).toEqual([{ type: "bye", reason: "x" }, 12]);
  channel.send({ type: "set", values: { a: Infinity } });
  expect(sent).toEqual([{ type: "set", values: { a: "inf" } }]);
});

it("carries another flight over the same model by its name", async () => {
  const sent: { type: string; flight?: string }[] = [];
  const hear: ((content: unknown, buffers: DataView[]) => void)[] = [];
  const model: WidgetModel = { get: () => "", send: (content) => sent.push(content as { type: string }), on: (_, call) => hear.push(call as (typeof hear)[0]), off: () => undefined };
  const channels = [new WidgetChannel(model)];
  channels.push(channels[0]!.another());
  const heard: unknown[] = [];
  channels.forEach((channel, k) => {
    channel.onJson(({ type }) => heard.push([k, type]));
    channel.onBinary((data) => heard.push([k, data.byteLength]));
  });
  await Promise.resolve();
  const { flight } = sent[1]!;
  expect(sent).toEqual([{ type: "hello" }, { type: "hello", flight }]);
  const said = (content: unknown, buffers: DataView[] = []): void => hear.forEach((one) => one(content, buffers));
  said('{"type":"status"}');
  said({ flight, text: '{"type":"scene"}' });
  said({ type: "frame", flight }, [new DataView(new ArrayBuffer(8))]);
  said({ type: "frame", flight: "of another view" }, [new DataView(new ArrayBuffer(4))]);
  expect(heard).toEqual([[0, "status"], [1, "scene"], [1, 8]]);
  channels[1]!.close();
  expect(sent.at(-1)).toEqual({ type: "goodbye", flight });
});

it("maps the speed slider to steps a second and back", () => {
  expect(rateAt(100)).toBeNull();
  expect(placeOf(null)).toBe(100);
  for (const rate of [1, 24, 60, 300, 1000]) {
    expect(Math.abs(rateAt(placeOf(rate))! - rate)).toBeLessThanOrEqual(0.05 * rate);
  }
});

it("reads the lines of things to try", () => {
  expect(readTry("rules.a.weight=0: they part")).toEqual({ path: "rules.a.weight", value: 0, what: "they part" });
  expect(readTry("obstacles.n.size=[120.0, 500.0]: wider")).toMatchObject({ value: [120, 500] });
  expect(readTry("rules.a.form=steering: softer")).toMatchObject({ value: "steering" });
  expect(readTry("nothing here")).toBeNull();
});

it("says what was changed before what is asked for after it", () => {
  vi.useFakeTimers().stubGlobal("window", globalThis);
  const sent: unknown[] = [];
  const channel = { send: (message: unknown) => sent.push(message) } as unknown as Channel;
  const requests = new Requests(channel, () => undefined);
  vi.advanceTimersByTime(100);
  for (const value of [1, 2, 3]) requests.set("dt", value, false); // the last two wait for a moment
  void requests.send({ type: "set", values: { dt: 9 }, off: [] });
  vi.runAllTimers();
  expect(sent).toMatchObject([{ values: { dt: 1 } }, { values: { dt: 3 } }, { values: { dt: 9 } }]);
  vi.useRealTimers().unstubAllGlobals();
});
