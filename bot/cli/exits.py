"""What the exit codes mean."""

ANSWERED = 0
BELOW = 1
USAGE = 2
UNDECIDED = 3
REFUSED = 4
FAILED = 5
STOPPED = 130
