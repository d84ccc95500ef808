"""From a photograph to a reading: frames, tiles found, tiles named, the hand assembled."""
