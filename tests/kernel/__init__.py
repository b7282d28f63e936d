"""The real drivers on a real kernel, in an emulated machine whose disk is this one's."""
