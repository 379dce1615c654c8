"""The methods that published costs are computed by, one file each."""
