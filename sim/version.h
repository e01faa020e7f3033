#ifndef SLABSIM_VERSION
#define SLABSIM_VERSION "0.1"
#endif
