"""What moving bytes among ranks takes: algorithms, the network under them, and the times of both."""
