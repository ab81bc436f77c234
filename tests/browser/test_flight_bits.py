"""A page's flight has the same bits in Chromium as in Node."""

from __future__ import annotations

from importlib import resources
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.runs.live_page import flight_head
from page_worker import STATE, fly

pytestmark = pytest.mark.slow  # beside the README's command, for its time


@pytest.mark.parametrize(
    "name",
    [
        "vicsek-1995",
        pytest.param("starlings", marks=pytest.mark.long),  # 3-D, the seven nearest, two flocks
        "p5",  # one by one
        "river",  # boids join and leave
        pytest.param("parker-gate", marks=pytest.mark.long),  # obstacles
        pytest.param("gregoire-chate", marks=pytest.mark.long),  # noise in every pair
    ],
)
def test_the_same_bits_as_in_node(tab: Any, name: str) -> None:
    """In a worker of Chromium: V8 here, and V8 in Node, but with other flags and versions."""
    model = mm.load(name)
    boids = sum(flock.count for flock in model.flocks.values())
    head = flight_head(model, 3, max(600, boids))
    messages = [{"type": "step", "steps": 20}, STATE]
    expected = fly(head, messages)[-1]["state"]["places"]
    worker = (resources.files("murmurate.show") / "viewer" / "flight.js").read_text()
    tab.goto("about:blank")
    result = tab.evaluate(
        """async ([worker, head]) => {
          const inflate = async (text) => new Uint8Array(await new Response(new Blob([
            Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream()
            .pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
          const modules = [];
          for (const m of head.modules) modules.push({...m, code: await inflate(m.code)});
          const start = {...head.start, code: await inflate(head.start.code)};
          const births = head.population;
          const population = births && {...births, code: await inflate(births.code)};
          const port = new Worker(URL.createObjectURL(new Blob([worker])));
          const replies = new Map();
          let step = 0;
          port.onmessage = ({data}) => {
            if (data instanceof ArrayBuffer) {
              step = new DataView(data).getFloat64(16, true);
              port.postMessage({type: "credit", frames: 1});
            } else if (data.type === "reply") replies.get(data.to)(data);
          };
          let next = 1;
          const ask = (message) => new Promise((done) => {
            replies.set(next, done);
            port.postMessage({...message, id: next++});
          });
          port.postMessage({...head, values: {}, off: [], modules, start, population});
          await ask({type: "pause"});
          await ask({type: "restart"});
          await ask({type: "step", steps: 20});
          while (step !== 20) await new Promise((done) => setTimeout(done, 5));
          const {state} = await ask({type: "state"});
          return Array.from(new Uint32Array(state.places.buffer));
        }""",
        [worker, head],
    )
    assert (np.array(result, np.uint32) == expected.view(np.uint32).ravel()).all()
