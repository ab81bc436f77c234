"""Plots of measures, sweeps, tracks and figures of models, by matplotlib.

Functions named plot_... draw on Axes and return them; functions named save_... write a file.
"""
