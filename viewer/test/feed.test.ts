import { describe, expect, it } from "vitest";
import { Feed } from "../src/state/feed";
import { decodeFrame, type Frame } from "../src/wire/frame";
import { frameBytes } from "./frames";

const frame = (step: number, scene = 1, boids = 1): Frame =>
  decodeFrame(frameBytes({ scene, step, boids: Array.from({ length: boids }, () => [1, 2, 3]) }));

function made(): { feed: Feed; credits: () => number } {
  let credits = 0;
  const feed = new Feed((frames) => (credits += frames));
  feed.enter(1);
  return { feed, credits: () => credits };
}

describe("credit", () => {
  it("is given once for each drawn frame", () => {
    const { feed, credits } = made();
    feed.push(frame(1), 0);
    expect(credits()).toBe(0);
    expect(feed.take(0, 16)).toMatchObject({ fresh: true });
    feed.drawn();
    expect(credits()).toBe(1);
    expect(feed.take(16, 16)).toMatchObject({ fresh: false });
    expect(credits()).toBe(1);
  });

  it("is given for frames of another scene, which are dropped", () => {
    const { feed, credits } = made();
    feed.push(frame(1, 7), 0);
    expect(credits()).toBe(1);
    expect(feed.take(0, 16)).toBeNull();
  });

  it("is given for what waits when a new scene begins", () => {
    const { feed, credits } = made();
    feed.push(frame(1), 0);
    feed.push(frame(2), 1);
    feed.enter(2);
    expect(credits()).toBe(2);
    expect(feed.take(5, 16)).toBeNull();
  });

  it("adds up: every frame that came is credited, whatever the page's pace", () => {
    const { feed, credits } = made();
    let sent = 0;
    for (let at = 0; at < 4000; at += 7) {
      feed.push(frame(sent++), at);
      if (at % 50 === 0 && feed.take(at, 50)?.fresh) feed.drawn();
    }
    for (let at = 4000; at < 6000; at += 50) if (feed.take(at, 50)?.fresh) feed.drawn();
    expect(credits()).toBe(sent);
  });
});

describe("between frames", () => {
  it("moves from one to the next over the time they take to come", () => {
    const { feed } = made();
    const parts: number[] = [];
    for (let at = 0; at <= 1200; at += 10) {
      if (at % 100 === 0) feed.push(frame(at / 100), at);
      const moment = feed.take(at, 10);
      if (moment?.fresh) feed.drawn();
      if (moment && at > 800 && at < 900) parts.push(moment.part);
    }
    expect(Math.max(...parts)).toBeLessThanOrEqual(1);
    for (let k = 1; k < parts.length; k++) {
      const onward = parts[k]! - parts[k - 1]!;
      expect(onward > 0 || parts[k]! < 0.2).toBe(true);
    }
  });

  it("does not lag behind frames that come as fast as they are drawn", () => {
    const { feed } = made();
    for (let at = 0; at < 500; at += 16) {
      feed.push(frame(at), at);
      const moment = feed.take(at, 16);
      expect(moment).toMatchObject({ fresh: true, part: 1 });
      feed.drawn();
    }
  });

  it("cuts where the number of boids changes or the flight starts again", () => {
    const { feed } = made();
    feed.push(frame(5), 0);
    feed.take(0, 16);
    feed.push(frame(0), 500);
    let moment = feed.take(500, 16);
    expect(moment!.before).toBe(moment!.now);
    feed.push(frame(1, 1, 3), 1200);
    moment = feed.take(1700, 16);
    expect(moment!.before).toBe(moment!.now);
  });
});
