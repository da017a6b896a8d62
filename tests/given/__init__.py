"""What tests are given: strategies, samples, calls they share, ways to agree. Uses no oracle."""
