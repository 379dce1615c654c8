"""Owning against renting month by month: price paths, bills, demand, mixes, and regret."""
