/* Command lines as the CUDA samples read them: -name, --name, name=value. Written anew from how the samples call it. */
#ifndef LOCUS_CUDA_HELPER_STRING_H
#define LOCUS_CUDA_HELPER_STRING_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <strings.h>

#ifndef STRCASECMP
#define STRCASECMP		strcasecmp
#define STRNCASECMP		strncasecmp
#define STRCPY(to, room, from)	snprintf(to, room, "%s", from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result)	((result) == NULL)
#define SSCANF			sscanf
#define SPRINTF			sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/* The text behind "name=" or "name", or NULL. */
static inline const char *locus_argument(int argc, const char *const *argv, const char *name)
{
	size_t n = strlen(name);

	for (int i = 1; i < argc; i++) {
		const char *a = argv[i] + strspn(argv[i], "-");

		if (!strncasecmp(a, name, n) && (a[n] == '=' || !a[n]))
			return a[n] ? a + n + 1 : a + n;
	}
	return NULL;
}
static inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name)
{
	return locus_argument(argc, argv, name) != NULL;
}
static inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name)
{
	const char *v = locus_argument(argc, argv, name);

	return v ? atoi(v) : 0;
}
static inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name)
{
	const char *v = locus_argument(argc, argv, name);

	return v ? (float)atof(v) : 0;
}
static inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *name, char **value)
{
	const char *v = locus_argument(argc, argv, name);

	*value = (char *)v;
	return v != NULL;
}
template <class T> inline bool getCmdLineArgumentValue(const int argc, const char **argv, const char *name, T *value)
{
	const char *v = locus_argument(argc, argv, name);

	if (v)
		*value = (T)atof(v);
	return v != NULL;
}

/* The first of name, data/name and the same beside the program that is there; free() it. NULL: none is. */
static inline char *sdkFindFilePath(const char *name, const char *program)
{
	const char *slash = program ? strrchr(program, '/') : NULL;
	std::string beside = slash ? std::string(program, slash + 1) : std::string();
	const std::string places[] = {name,	     std::string("data/") + name, std::string("./data/") + name,
				      beside + name, beside + "data/" + name,	  beside + "../data/" + name};

	for (const std::string &place : places)
		if (FILE *f = fopen(place.c_str(), "rb")) {
			fclose(f);
			return strdup(place.c_str());
		}
	return NULL;
}

#endif
