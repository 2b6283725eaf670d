"""What runs beside the learner's code in the child process: no oracle, no verdict, no solution."""
