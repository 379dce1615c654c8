"""What a run costs by a named method: rented, amortised, owned at a level cost, or bought whole.

The methods differ by several times for one and the same run, so no figure of this room stands without the name of its
method. The cost in an evaluation is `app.engine.economics.operating`.
"""
