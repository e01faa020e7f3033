#!/bin/sh
# Run a program under valgrind: what it reports is a failure.
export SLABSIM_VALGRIND=1
exec valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect \
  --track-origins=yes --num-callers=25 -- "$@"
