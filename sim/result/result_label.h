/* Labels of results, between the files that need more of them than results_label(). */
#ifndef SLABSIM_RESULT_LABEL_H
#define SLABSIM_RESULT_LABEL_H

#include "sim/result/result_file.h"

/* Does the policy of r on axis key follow from its preset, or from another of its policies? */
bool result_setting_follows(const struct loaded_result *r, const char *key);

#endif
