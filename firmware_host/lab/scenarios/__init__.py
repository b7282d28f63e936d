"""Text scenarios: stamped inputs in the order of their arrival, and what must come of them."""
