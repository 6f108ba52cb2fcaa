/* Exact values of pairs of positions, from a two-sided table.

   cc -std=c99 -O2 -o two_sided two_sided.c
   ./two_sided FOLDER ROLLER OPPONENT ...      (positions as 3,3,2,0,2,1)

   Each line: the numbers of roller and opponent, then name and value of every plane.
   readers/README.md describes the files. Checksums are not compared. The machine must be
   little endian. */

#define _FILE_OFFSET_BITS 64
#define _POSIX_C_SOURCE 200112L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { ONE = 65535, LEVELS = 1024, BANDS = 8192 };

static int levels, bands;
static int64_t level_starts[LEVELS], band_starts[BANDS], slots[1 << 16];

static void fail(const char *what)
{
    fprintf(stderr, "two_sided: %s\n", what);
    exit(1);
}

/* C(n, k), exact: each product is one before it is divided. */
static int64_t choose(int64_t n, int64_t k)
{
    int64_t result = 1;
    for (int64_t i = 1; i <= k; i++)
        result = result * (n - k + i) / i;
    return result;
}

/* Number of the position with these checkers on the ace, ... (docs/tables.md). */
static int64_t rank(char *text)
{
    int64_t counts[24], number = 0, above = 0;
    int points = 0;
    for (char *one = strtok(text, ","); one && points < 24; one = strtok(NULL, ","))
        counts[points++] = atoi(one);
    for (int i = points; i >= 1; i--) {
        above += counts[i - 1];
        number += choose(above + points - i, points - i + 1);
    }
    return number;
}

/* The first slot of each level, the first block of each band, the slot of each number. */
static void lay_out(int points, int checkers, int start)
{
    static int group_of[1 << 16], sizes[2 * LEVELS];
    int64_t positions = choose(points + checkers, points);
    for (int64_t number = 0; number < positions; number++) {
        int64_t rest = number;
        int pips = 0, on = 0;
        for (int i = 1; i <= points; i++) {
            int above = 0;
            while (choose(above + 1 + points - i, points - i + 1) <= rest)
                above++;
            rest -= choose(above + points - i, points - i + 1);
            pips += above;
            on = above > on ? above : on;
        }
        int group = (pips + 1) / 2 * 2 + (on == start);
        group_of[number] = group;
        slots[number] = sizes[group]++;
        levels = group / 2 + 1 > levels ? group / 2 + 1 : levels;
    }
    int64_t firsts[2 * LEVELS + 1] = {0};
    for (int group = 0; group < 2 * levels; group++)
        firsts[group + 1] = firsts[group] + (sizes[group] + 15) / 16 * 16;
    for (int64_t number = 0; number < positions; number++)
        slots[number] += firsts[group_of[number]];
    for (int level = 0; level <= levels; level++)
        level_starts[level] = firsts[2 * level];
    for (int level = 0; level < levels; level++) {
        int64_t first = level_starts[level] / 16;
        int64_t blocks = level_starts[level + 1] / 16 - first, parts = (blocks + 63) / 64;
        for (int64_t k = 0; k < parts; k++)
            band_starts[bands++] = first + blocks * k / parts;
    }
    band_starts[bands] = level_starts[levels] / 16;
}

static int find_last(const int64_t *starts, int count, int64_t at)
{
    while (starts[--count] > at)
        ;
    return count;
}

static void read_at(FILE *file, int64_t byte, void *out, size_t bytes)
{
    if (fseeko(file, (off_t)byte, SEEK_SET) || fread(out, 1, bytes, file) != bytes)
        fail("a file is too short");
}

/* Code of roller slot x against opponent slot y; 0 and *found = 0 if there is no plane. */
static int64_t code(const char *folder, const char *plane, int64_t x, int64_t y, int *found)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.index", folder, plane);
    FILE *index = fopen(path, "rb");
    snprintf(path, sizeof path, "%s/%s.plane", folder, plane);
    FILE *file = fopen(path, "rb");
    if (!(*found = index && file))
        return 0;
    int band = find_last(band_starts, bands, x / 16);
    int level = find_last(level_starts, levels, y);
    int64_t place[2], rest = 0;
    read_at(index, ((int64_t)band * levels + level) * 16, place, sizeof place);
    int64_t at = place[0], rank = place[1];
    fclose(index);
    if (rank > 24)
        fail("an index names more columns than there are");
    if (at == 0) {
        fclose(file);
        return 0;
    }
    int64_t blocks = band_starts[band + 1] - band_starts[band];
    int64_t tiles = (level_starts[level + 1] - level_starts[level]) / 16;
    int64_t roller = x - 16 * band_starts[band], opponent = y - level_starts[level];
    int16_t u[24], v[24];
    read_at(file, 2 * (at + roller * rank), u, 2 * (size_t)rank);
    read_at(file, 2 * (at + (16 * blocks + opponent) * rank), v, 2 * (size_t)rank);
    uint32_t sum = 2048, head[3];
    for (int k = 0; k < rank; k++)
        sum += (uint32_t)((int32_t)u[k] * v[k]);
    int64_t product = sum < 1u << 31 ? (int64_t)sum : (int64_t)sum - (1LL << 32);
    int64_t directory = at + 16 * (blocks + tiles) * rank;
    int64_t tile = roller / 16 * tiles + opponent / 16;
    read_at(file, 2 * (directory + 6 * tile), head, sizeof head);
    int64_t first = directory + 6 * blocks * tiles + (head[0] & 0x7fffffff);
    size_t width = 0;
    for (int row = 0; row <= y % 16; row++) {
        first += (int64_t)width;
        width = (head[1 + row / 8] >> (row % 8 * 4) & 15) * (1 + (head[0] >> 31));
    }
    uint16_t bits[32];
    read_at(file, 2 * first, bits, 2 * width);
    for (size_t j = 0; j < width; j++) {
        int64_t bit = (int64_t)(bits[j] >> (x % 16) & 1) << j;
        rest += j + 1 < width ? bit : -bit;
    }
    fclose(file);
    return (product - (product & 4095)) / 4096 + rest;
}

/* The whole number behind `"key":` in the manifest. */
static int setting(const char *manifest, const char *key)
{
    const char *at = strstr(manifest, key);
    if (!at)
        fail("table.json is no manifest of a two-sided table");
    return atoi(at + strlen(key));
}

int main(int argc, char **argv)
{
    static char manifest[1 << 20];
    char path[4096];
    snprintf(path, sizeof path, "%s/table.json", argc > 1 ? argv[1] : "");
    FILE *file = fopen(path, "rb");
    if (!file || !fread(manifest, 1, sizeof manifest - 1, file))
        fail("usage: two_sided FOLDER ROLLER OPPONENT ...");
    lay_out(setting(manifest, "\"points\":"), setting(manifest, "\"checkers\":"),
            setting(manifest, "\"start\":"));
    for (int k = 2; k + 1 < argc; k += 2) {
        int64_t numbers[2] = {rank(argv[k]), rank(argv[k + 1])};
        int64_t x = slots[numbers[0]], y = slots[numbers[1]];
        int found;
        int64_t cubeless = code(argv[1], "cubeless", x, y, &found);
        printf("%" PRId64 " %" PRId64, numbers[0], numbers[1]);
        printf(" cubeless %.17g", (1 + (double)cubeless / (2 * ONE)) / 2);
        static const char *plain[] = {"points", "gammons_won", "gammons_lost"};
        for (int p = 0; p < 3; p++) {
            int64_t value = code(argv[1], plain[p], x, y, &found) + (p ? 0 : cubeless);
            if (found)
                printf(" %s %.17g", plain[p], (double)value / (p ? ONE : 2 * ONE));
        }
        double opponent = (double)code(argv[1], "opponent", x, y, &found) / (2 * ONE);
        if (found)
            printf(" opponent %.17g", opponent);
        double doubled = 2 * opponent < 1 ? 2 * opponent : 1;
        static const char *cubes[] = {"owned", "centred", "jacoby"};
        for (int p = 0, has; p < 3; p++) {
            int64_t base = p == 2 ? code(argv[1], "centred", x, y, &has) : 0;
            double kept = (double)(base + code(argv[1], cubes[p], x, y, &found)) / ONE;
            if (found)
                printf(" %s %.17g", cubes[p], kept > doubled ? kept : doubled);
        }
        putchar('\n');
    }
    return 0;
}
