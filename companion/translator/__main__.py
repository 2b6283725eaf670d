"""`python -m companion.translator`: the command `companion`, where it is not on the path."""

from companion.translator.command_line import main

main(prog_name="companion")
