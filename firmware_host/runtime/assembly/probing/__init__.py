"""Looks at the hardware of this machine and says what it saw; what that means, others say."""
