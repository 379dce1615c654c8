"""The serving workload of a scenario: model, engine, requests, layout, demand and what users are promised."""
