#include "sim/plugin_file.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool within(uint64_t size, uint64_t offset, uint64_t length)
{
	return offset <= size && length <= size - offset;
}

/* Returns false when the part is not in the file. */
static bool read_at(FILE *in, uint64_t size, uint64_t offset, void *to, size_t length)
{
	return within(size, offset, length) && !fseeko(in, (off_t)offset, SEEK_SET) &&
	       fread(to, 1, length, in) == length;
}

static bool segments_within(FILE *in, uint64_t size, const Elf64_Ehdr *elf)
{
	Elf64_Phdr segment;

	for (unsigned i = 0; i < elf->e_phnum; i++) {
		uint64_t offset = elf->e_phoff + (uint64_t)i * sizeof(segment);

		if (offset < elf->e_phoff ||
		    !read_at(in, size, offset, &segment, sizeof(segment)) ||
		    !within(size, segment.p_offset, segment.p_filesz))
			return false;
	}
	return true;
}

static bool sections_within(FILE *in, uint64_t size, const Elf64_Ehdr *elf)
{
	Elf64_Shdr section;

	for (unsigned i = 0; i < elf->e_shnum; i++) {
		uint64_t offset = elf->e_shoff + (uint64_t)i * sizeof(section);

		if (offset < elf->e_shoff ||
		    !read_at(in, size, offset, &section, sizeof(section)) ||
		    (section.sh_type != SHT_NOBITS &&
		     !within(size, section.sh_offset, section.sh_size)))
			return false;
	}
	return true;
}

static bool is_whole(FILE *in, uint64_t size)
{
	Elf64_Ehdr elf;

	if (size < EI_NIDENT || !read_at(in, size, 0, &elf, EI_NIDENT) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_ident[EI_CLASS] != ELFCLASS64)
		return true;
	if (!read_at(in, size, 0, &elf, sizeof(elf)))
		return false;
	/* Of other sizes they are another machine's, or nobody's: dlopen says so. */
	return (elf.e_phentsize != sizeof(Elf64_Phdr) || segments_within(in, size, &elf)) &&
	       (elf.e_shentsize != sizeof(Elf64_Shdr) || sections_within(in, size, &elf));
}

int plugin_check_file(const char *path, struct error *err)
{
	FILE *in = fopen(path, "re");
	struct stat st;
	int ret = 0;

	if (!in)
		return error_input(err, "%s", strerror(errno));
	if (!fstat(fileno(in), &st) && S_ISREG(st.st_mode) && !is_whole(in, (uint64_t)st.st_size))
		ret = error_input(err,
				  "not a plugin: the file is cut off: its headers name more "
				  "than its %lld bytes; build or copy it again",
				  (long long)st.st_size);
	fclose(in);
	return ret;
}
