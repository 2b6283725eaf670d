"""The root of all errors that somebody at the command line can put right."""


class UserError(Exception):
    """A wrong path, device, file or input: the command line shows the message, no traceback."""
