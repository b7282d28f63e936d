"""What the rig must notice: named so that nobody runs them by accident."""
