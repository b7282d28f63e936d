"""All tests with the oldest and the newest versions of everything (`make test-versions`)."""
