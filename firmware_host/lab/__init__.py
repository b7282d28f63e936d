"""To prove and to try: simulated people at simulated tables, scenarios, measurements, and the demo."""
