"""Data sets whose true values are known, by family: what the studies draw.

`design` says what a design is, `rivals` puts two models on the same rows, `families` lists them
all; each other file has one law of scores, its truth, and the designs of its family. Every data set
has a seed of its own, made of the design's key and the data set's number.
"""
