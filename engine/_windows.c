/* The first maximum of windows, and what belongs to it put there: what stands at one place of all windows is a strided
   array, and a table holds the offset of each place. Units: bytes. */
#include "_loops.h"

/* So many elements at a time: their maxima stay in registers. */
enum { BLOCK = 16 };

/* NaN is not above a number. Operands: the table, x at the first place, the numbers of places. Sizes: windows, places,
   channels; steps: from window to window of x and of the result, then from channel to channel. */
#define GREATEST(T)                                                                                                    \
    WIDE void greatest_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) {         \
        const npy_intp *table = (const npy_intp *)args[0];                                                             \
        for (npy_intp w = 0; w < sizes[0]; w++)                                                                        \
            for (npy_intp start = 0; start < sizes[2]; start += BLOCK) {                                               \
                const npy_intp count = sizes[2] - start < BLOCK ? sizes[2] - start : BLOCK;                            \
                const char *x = args[1] + w * steps[0] + start * steps[2];                                             \
                char *out = args[2] + w * steps[1] + start * steps[3];                                                 \
                T best[BLOCK];                                                                                         \
                int32_t found[BLOCK] = {0};                                                                            \
                if (count == BLOCK && steps[2] == sizeof(T) && steps[3] == sizeof(int32_t)) {                          \
                    memcpy(best, x + table[0], sizeof best);                                                           \
                    for (npy_intp p = 1; p < sizes[1]; p++) {                                                          \
                        const T *y = (const T *)(x + table[p]);                                                        \
                        for (int i = 0; i < BLOCK; i++) {                                                              \
                            found[i] = best[i] < y[i] ? (int32_t)p : found[i];                                         \
                            best[i] = best[i] < y[i] ? y[i] : best[i];                                                 \
                        }                                                                                              \
                    }                                                                                                  \
                    memcpy(out, found, sizeof found);                                                                  \
                    continue;                                                                                          \
                }                                                                                                      \
                for (npy_intp i = 0; i < count; i++) {                                                                 \
                    best[i] = *(const T *)(x + i * steps[2] + table[0]);                                               \
                    for (npy_intp p = 1; p < sizes[1]; p++) {                                                          \
                        const T y = *(const T *)(x + i * steps[2] + table[p]);                                         \
                        if (best[i] < y) best[i] = y, found[i] = (int32_t)p;                                           \
                    }                                                                                                  \
                    *(int32_t *)(out + i * steps[3]) = found[i];                                                       \
                }                                                                                                      \
            }                                                                                                          \
    }
GREATEST(npy_float)
GREATEST(npy_double)
GREATEST(npy_int32)
GREATEST(npy_int64)

/* Zero at all places but one. Operands: the table, x, the numbers of places, the result at the first place. Sizes:
   windows, places, channels; steps: from window to window of x, the numbers and the result, then from channel to
   channel. */
#define PUT(T)                                                                                                         \
    WIDE void put_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) {              \
        const npy_intp *table = (const npy_intp *)args[0];                                                             \
        const int is_dense = steps[3] == sizeof(T) && steps[4] == sizeof(int32_t) && steps[5] == sizeof(T);            \
        for (npy_intp w = 0; w < sizes[0]; w++)                                                                        \
            for (npy_intp p = 0; p < sizes[1]; p++) {                                                                  \
                const char *x = args[1] + w * steps[0], *found = args[2] + w * steps[1];                               \
                char *out = args[3] + w * steps[2] + table[p];                                                         \
                const int32_t number = (int32_t)p;                                                                     \
                npy_intp i = 0;                                                                                        \
                for (; is_dense && i + BLOCK <= sizes[2]; i += BLOCK) {                                                \
                    const T *restrict from = (const T *)x + i;                                                         \
                    const int32_t *restrict at = (const int32_t *)found + i;                                           \
                    T *restrict to = (T *)out + i;                                                                     \
                    for (int j = 0; j < BLOCK; j++) to[j] = at[j] == number ? from[j] : 0;                             \
                }                                                                                                      \
                for (; i < sizes[2]; i++)                                                                              \
                    *(T *)(out + i * steps[5]) =                                                                       \
                        *(const int32_t *)(found + i * steps[4]) == number ? *(const T *)(x + i * steps[3]) : 0;       \
            }                                                                                                          \
    }
PUT(uint32_t)
PUT(uint64_t)
