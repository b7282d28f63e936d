"""What plugs into a simulated or pseudo serial port."""
