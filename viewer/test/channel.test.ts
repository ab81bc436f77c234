import { describe, expect, it } from "vitest";
import { socketUrl } from "../src/channel/websocket";
import { WidgetChannel, type WidgetModel } from "../src/channel/widget";
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
    send: (content) => sent.push(content),
    on: (_, call) => (hear = call as typeof hear),
    off: () => undefined,
  };
  const channel = new WidgetChannel(model);
  const heard: unknown[] = [];
  channel.onJson((message) => heard.push(message));
  channel.onBinary((data) => heard.push(data.byteLength));
  hear({ type: "bye", reason: "x" }, []);
  hear({ type: "frame" }, [new DataView(new ArrayBuffer(12))]);
  expect(heard).toEqual([{ type: "bye", reason: "x" }, 12]);
  channel.send({ type: "set", values: { a: Infinity } });
  expect(sent).toEqual([{ type: "set", values: { a: "inf" } }]);
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
