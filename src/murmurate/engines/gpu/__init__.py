"""The engine that runs on graphics cards, by WebGPU."""
