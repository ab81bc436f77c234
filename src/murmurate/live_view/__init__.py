"""The live view: a running flock in browser pages that can change it.

    runner.py               runs a simulation or a recording, in its own thread
    messages.py             checks the messages of pages
    edits.py, drawing.py    turn what pages draw into changes of the model
    controller.py           decides which model runs
    playback_controller.py  decides which step of a recording is shown
    broadcast.py            sends messages and frames to all pages
    close_up.py             computes one boid's steering
    observer.py             evaluates frames for the pages
    jobs.py                 makes films and pages
    file_watcher.py         loads a model again when its file is saved
    session.py              one flock and its pages
    handlers.py             carries out each message of a page
    client.py               one page: its messages, and the queue of messages to it
    osc.py                  programs that speak OSC, as a page
    comparison_sessions.py  a session, and others to compare it with
    guard.py, server.py     pages over HTTP and a websocket

A module imports only modules above it. The public names are loaded when they are first used, which
keeps `import murmurate` fast.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
