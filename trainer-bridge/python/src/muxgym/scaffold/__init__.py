"""For programs that play in `muxgym eval --loop scaffold`: the episode and the model of the run, over two pipes."""

from muxgym.scaffold.pipe import ContextEnded, ModelAnswer, PipeEpisode, connect

__all__ = ["ContextEnded", "ModelAnswer", "PipeEpisode", "connect"]
