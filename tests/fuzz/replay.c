/* A fuzz target without a fuzzer: every file of its corpus once.
       replay [FILE...]       default: those that tests/fuzz/corpus/NAME/list names */
#include "fuzz.h"

static int replay(const char *path)
{
    static uint8_t data[1 << 16];
    FILE *const file = fopen(path, "rb");
    uint8_t *exact;
    size_t n;
    if (!file) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    n = fread(data, 1, sizeof data, file);
    fclose(file);
    exact = (uint8_t *)malloc(n ? n : 1);          /* what is read beyond its end is seen */
    if (!exact) return 1;
    memcpy(exact, data, n);
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    return 0;
}

int main(int argc, char **argv)
{
    char line[300], path[600];
    int i, passed = 0, failed = 0;
    FILE *list;
    for (i = 1; i < argc; i++) failed += replay(argv[i]);
    passed = argc - 1 - failed;
    if (argc > 1) goto done;
    list = fopen("tests/fuzz/corpus/" CORPUS "/list", "r");
    if (!list) failed++;
    while (list && fgets(line, sizeof line, list)) {
        line[strcspn(line, "\r\n")] = 0;
        snprintf(path, sizeof path, "tests/fuzz/corpus/%s/%s", CORPUS, line);
        if (replay(path)) failed++;
        else passed++;
    }
    if (list) fclose(list);
done:
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
