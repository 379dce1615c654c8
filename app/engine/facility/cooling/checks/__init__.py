"""What a plant is held against: classes of water and air, dew points, the loss of flow."""
