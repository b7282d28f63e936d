"""What was played, for people: rounds in words and pictures, photo finishes, lists and exports."""
