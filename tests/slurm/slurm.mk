# A sweep as a job array on a real Slurm, on this machine; takes root and Debian's slurm-wlm.
.PHONY: slurm-test
slurm-test: slabsim
	@SLABSIM=$(CURDIR)/slabsim tests/slurm/run.sh
