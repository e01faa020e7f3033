#include "sim/order_plot.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/file.h"

#define TEMPLATE "waste-by-size.gp"

extern char **environ;

static const struct {
	const char *suffix, *terminal;
} kinds[] = {{".svg", "svg"}, {".png", "pngcairo"}, {".pdf", "pdfcairo"}};

static const char *suffix_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strchr(dot, '/') ? dot : "";
}

static const char *terminal_of(const char *path)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(suffix_of(path), kinds[i].suffix))
			return kinds[i].terminal;
	}
	return NULL;
}

int order_plot_check(const char *path, struct error *err)
{
	if (!terminal_of(path))
		return error_input(
		    err, "--plot: %.200s: a name that ends in .svg, .png or .pdf is wanted", path);
	return file_check_writable(path, err);
}

/* ---- the data ---- */

/* Sizes with no order under some rule are left out. */
static void write_size(FILE *out, const struct order_table *t, const struct order_row *row)
{
	struct order_entry e;

	for (unsigned r = 0; r < t->nr_rules; r++) {
		order_table_entry(t, row, r, &e);
		if (e.order < 0)
			return;
	}
	fprintf(out, "%u", row->size);
	for (unsigned r = 0; r < t->nr_rules; r++) {
		order_table_entry(t, row, r, &e);
		fprintf(out, "\t%.4f\t%d", 100.0 * e.waste_tail / (double)e.slab_bytes, e.order);
	}
	fputs("\n", out);
}

static int write_data(const struct order_table *t, const char *path, struct error *err)
{
	struct out_file out;

	if (file_create(&out, path, err))
		return -1;
	fputs("# size", out.stream);
	for (unsigned r = 0; r < t->nr_rules; r++)
		fprintf(out.stream, "\t%s: waste %%\torder", t->rule[r].name);
	fputs("\n", out.stream);
	for (unsigned i = 0; i < t->nr_rows; i++)
		write_size(out.stream, t, &t->row[i]);
	return file_commit(&out, err);
}

/* ---- gnuplot ---- */

/* Beside the program, as built, or where make install puts it. To be freed. */
static char *find_template(struct error *err)
{
	static const char *const places[] = {"plots", "../share/slabsim/plots"};
	char self[PATH_MAX], *dir, *path;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len < 0) {
		error_failed(err, "/proc/self/exe: %s", strerror(errno));
		return NULL;
	}
	self[len] = '\0';
	dir = dirname(self);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (asprintf(&path, "%s/%s/" TEMPLATE, dir, places[i]) < 0) {
			error_memory(err, "a file name");
			return NULL;
		}
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	error_failed(err, TEMPLATE " is neither in %s/plots nor in %s/../share/slabsim/plots", dir,
		     dir);
	return NULL;
}

/* The first line that gnuplot wrote to its standard error, and wait for its end. */
static int finish_gnuplot(pid_t pid, int from, struct error *err)
{
	char text[512];
	size_t used = 0;
	ssize_t n;
	int status;

	while ((n = read(from, text + used, sizeof(text) - 1 - used)) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			used += (size_t)n;
		/* The rest is read too, so that gnuplot never waits for us, but not kept. */
		if (used == sizeof(text) - 1)
			used--;
	}
	text[used] = '\0';
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return error_failed(err, "gnuplot: %s", strerror(errno));
	}
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	n = (ssize_t)strspn(text, "\n");
	return error_failed(err, "gnuplot failed: %.*s", (int)strcspn(text + n, "\n"), text + n);
}

static int run_gnuplot(char *const argv[], struct error *err)
{
	posix_spawn_file_actions_t actions;
	int fd[2], rc;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC))
		return error_failed(err, "a pipe for gnuplot: %s", strerror(errno));
	rc = posix_spawn_file_actions_init(&actions);
	if (!rc) {
		rc = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
		/* Nothing of gnuplot's may mix with our results. */
		if (!rc)
			rc = posix_spawn_file_actions_adddup2(&actions, fd[1], 1);
		if (!rc)
			rc = posix_spawn_file_actions_adddup2(&actions, fd[1], 2);
		if (!rc)
			rc = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(fd[1]);
	if (rc == ENOENT)
		error_failed(err, "gnuplot is not installed; it draws the charts");
	else if (rc)
		error_failed(err, "gnuplot: %s", strerror(rc));
	else
		rc = finish_gnuplot(pid, fd[0], err);
	close(fd[0]);
	return rc ? -1 : 0;
}

static int draw(const struct order_table *t, const char *data, const char *path, char *temp,
		struct error *err)
{
	char rules[ORDER_MAX_RULES * 65] = "", title[128];
	char *template = find_template(err);
	size_t used = 0;
	int rc;

	if (!template)
		return -1;
	for (unsigned r = 0; r < t->nr_rules; r++)
		used += (size_t)snprintf(rules + used, sizeof(rules) - used, "%s%s", r ? " " : "",
					 t->rule[r].name);
	snprintf(title, sizeof(title), "Waste at the end of a slab, %u CPUs, pages of %u bytes",
		 t->nr_cpus, t->page_size);
	rc = run_gnuplot((char *[]){"gnuplot", "-c", template, (char *)data, temp,
				    (char *)terminal_of(path), rules, title, NULL},
			 err);
	free(template);
	return rc;
}

/* Draws to a temporary file beside path, which then takes its place. */
static int draw_and_replace(const struct order_table *t, const char *data, const char *path,
			    struct error *err)
{
	struct stat st;
	char *temp;
	int fd, rc;

	if (asprintf(&temp, "%s.XXXXXX", path) < 0)
		return error_memory(err, "a file name");
	fd = mkstemp(temp);
	if (fd < 0) {
		error_failed(err, "%s: %s", path, strerror(errno));
		free(temp);
		return -1;
	}
	rc = draw(t, data, path, temp, err);
	if (!rc && (fstat(fd, &st) || !st.st_size))
		rc = error_failed(err, "%s: gnuplot drew nothing", path);
	if (!rc && (fchmod(fd, 0644) || fsync(fd) || rename(temp, path)))
		rc = error_failed(err, "%s: %s", path, strerror(errno));
	if (rc)
		unlink(temp);
	close(fd);
	free(temp);
	return rc;
}

int order_plot(const struct order_table *t, const char *path, struct error *err)
{
	char *data;
	int rc;

	if (asprintf(&data, "%.*s.dat", (int)(strlen(path) - strlen(suffix_of(path))), path) < 0)
		return error_memory(err, "a file name");
	rc = write_data(t, data, err) || draw_and_replace(t, data, path, err) ? -1 : 0;
	free(data);
	return rc;
}
