/* Pages of mapped files that the file system cannot give: a full disk, a file that was cut short.
 *
 * A library that maps a file and does not look whether its writes succeeded gets SIGBUS at the first page that is not
 * there, which would end the program without a word. Between hold and release such a page is replaced by zeros and
 * counted, so that the library goes on and whoever called it can say that what it made is not whole. Holds may overlap;
 * without one SIGBUS does what it did before.
 */
#ifndef HARNESS_PROCESS_LOST_PAGES_H
#define HARNESS_PROCESS_LOST_PAGES_H

/* Returns the pages lost so far, for release. */
unsigned lost_pages_hold(void);

/* Returns how many were lost since the hold that returned `before`, in any thread. */
unsigned lost_pages_release(unsigned before);

#endif
