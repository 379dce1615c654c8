"""Common properties of lattices: torus, mesh, HyperX and HammingMesh have places along dimensions."""
