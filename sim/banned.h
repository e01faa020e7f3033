/* Included before every file: functions that overflow or hide errors do not compile. */
#ifndef SLABSIM_BANNED_H
#define SLABSIM_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GNUC__
#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok atoi atol atoll atof
#pragma GCC poison abort
#endif

#endif
