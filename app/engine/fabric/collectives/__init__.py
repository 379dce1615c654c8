"""Requirements of moving bytes among ranks: algorithms, the network under them, and the times of both."""
