"""What lattices share: torus, mesh, HyperX and HammingMesh have places along dimensions."""
