"""Sound: notes made into clips, mixed, and fed to one player process."""
