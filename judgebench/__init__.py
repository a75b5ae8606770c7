"""judgebench: blind, measured ratings when a language model grades other models.

The command line `judge` is the product; `judgebench.model` and
`judgebench.stats` are the parts that are meant to be imported.
"""
