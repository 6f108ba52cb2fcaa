/* Mean rolls and roll distribution of positions, from a one-sided table.

   cc -std=c99 -O2 -o one_sided one_sided.c
   ./one_sided FOLDER 3,3,2,0,2,1 ...

   Each line: number, mean rolls, and the chances to need exactly 0, 1, ... rolls.
   readers/README.md describes the files. The machine must be little endian. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct array { FILE *file; long data; long item, columns; };

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

/* Open an .npy file; 0 if it is not there. */
static int open_array(struct array *a, const char *folder, const char *name)
{
    char path[4096], head[1024] = "", *shape;
    snprintf(path, sizeof path, "%s/%s.npy", folder, name);
    if (!(a->file = fopen(path, "rb")))
        return 0;
    unsigned char start[10];
    if (fread(start, 1, 10, a->file) != 10 || memcmp(start, "\x93NUMPY\x01", 7))
        fail("no .npy file of version 1", path);
    size_t length = start[8] + 256u * start[9];
    if (length >= sizeof head || fread(head, 1, length, a->file) != length)
        fail("bad header", path);
    a->data = 10 + (long)length;
    long rows;
    a->columns = 1;
    shape = strstr(head, "'descr': '");
    a->item = shape ? strtol(shape + 12, NULL, 10) : 0;
    shape = strstr(head, "'shape': (");
    if (!a->item || !shape || sscanf(shape + 10, "%ld, %ld", &rows, &a->columns) < 1)
        fail("bad header", path);
    return 1;
}

/* Read `count` elements from element `first` on. */
static void take(const struct array *a, uint64_t first, size_t count, void *out)
{
    if (fseek(a->file, a->data + (long)(first * (uint64_t)a->item), SEEK_SET)
        || fread(out, (size_t)a->item, count, a->file) != count)
        fail("no such element", "array");
}

/* C(n, k), exact: each product is one before it is divided. */
static uint64_t choose(uint64_t n, uint64_t k)
{
    uint64_t result = 1;
    for (uint64_t i = 1; i <= k; i++)
        result = result * (n - k + i) / i;
    return result;
}

/* Number of the position with counts[0] checkers on the ace, ... (docs/tables.md). */
static uint64_t rank(const int *counts, int points)
{
    uint64_t number = 0, above = 0;
    for (int i = points; i >= 1; i--) {
        above += (uint64_t)counts[i - 1];
        number += choose(above + (uint64_t)(points - i), (uint64_t)(points - i + 1));
    }
    return number;
}

/* Chances of a table stored in full: a row. Of a coded one: differences of the codes. */
static int distribution(const char *folder, uint64_t number, double *chances)
{
    struct array a, lengths, firsts, codes;
    if (open_array(&a, folder, "distribution")) {
        take(&a, number * (uint64_t)a.columns, (size_t)a.columns, chances);
        return (int)a.columns;
    }
    if (!open_array(&lengths, folder, "lengths") || !open_array(&firsts, folder, "firsts")
        || !open_array(&a, folder, "starts") || !open_array(&codes, folder, "codes"))
        fail("no one-sided table", folder);
    uint64_t at = 0;
    unsigned char group[16], first;
    size_t place = number % 16;
    take(&a, number / 16, 1, &at);
    take(&lengths, number - place, place + 1, group);
    for (size_t k = 0; k < place; k++)
        at += group[k];
    take(&firsts, number, 1, &first);
    uint16_t row[256];
    take(&codes, at, group[place], row);
    double before = 0;
    int n = 0;
    for (; n < first; n++)
        chances[n] = 0;
    for (int k = 0; k <= group[place]; k++, n++) {
        double within = k < group[place] ? row[k] / 65536.0 : 1;
        chances[n] = within - before;
        before = within;
    }
    return n;
}

int main(int argc, char **argv)
{
    struct array means;
    if (argc < 3 || !open_array(&means, argv[1], "mean_rolls"))
        fail("usage: one_sided FOLDER COUNTS ...", argv[0]);
    for (int k = 2; k < argc; k++) {
        int counts[24], points = 0;
        for (char *text = strtok(argv[k], ","); text && points < 24; text = strtok(NULL, ","))
            counts[points++] = atoi(text);
        uint64_t number = rank(counts, points);
        double mean, chances[512];
        take(&means, number, 1, &mean);
        printf("%" PRIu64 " %.17g", number, mean);
        int rolls = distribution(argv[1], number, chances);
        for (int n = 0; n < rolls; n++)
            printf(" %.17g", chances[n]);
        putchar('\n');
    }
    return 0;
}
