/* The first maximum of windows, and what belongs to it put there: what stands at one place of all windows is a strided
   array, and a table holds the offset of each place. Units: bytes. */
#include "_loops.h"

/* So many bytes at a time: their maxima stay in registers. */
enum { BLOCK = 16, REGISTER = 64 };

/* The first maxima of as many channels as there are in a register, as long as there are so many; how many these were.
   What is chosen is chosen by bits. */
#if defined(__GNUC__)
#define GREATEST_IN_REGISTERS(T, BITS)                                                                                 \
    typedef T Numbers_##T __attribute__((vector_size(REGISTER), aligned(sizeof(T)), may_alias));                       \
    typedef BITS Bits_##T __attribute__((vector_size(REGISTER), aligned(sizeof(T)), may_alias));                       \
    static inline __attribute__((always_inline)) npy_intp registers_##T(                                               \
        const char *x, int32_t *out, const npy_intp *table, npy_intp places, npy_intp channels) {                      \
        const npy_intp lanes = REGISTER / sizeof(T);                                                                   \
        npy_intp done = 0;                                                                                             \
        for (; done + lanes <= channels; done += lanes, x += REGISTER, out += lanes) {                                 \
            Numbers_##T best = *(const Numbers_##T *)(x + table[0]);                                                   \
            Bits_##T found = {0};                                                                                      \
            for (npy_intp p = 1; p < places; p++) {                                                                    \
                const Numbers_##T y = *(const Numbers_##T *)(x + table[p]);                                            \
                const Bits_##T is_better = (Bits_##T)(best < y);                                                       \
                found = (is_better & (BITS)p) | (~is_better & found);                                                  \
                best = (Numbers_##T)((is_better & (Bits_##T)y) | (~is_better & (Bits_##T)best));                       \
            }                                                                                                          \
            if (sizeof(T) == sizeof(int32_t))                                                                          \
                memcpy(out, &found, REGISTER);                                                                         \
            else                                                                                                       \
                for (int i = 0; i < lanes; i++) out[i] = (int32_t)found[i];                                            \
        }                                                                                                              \
        return done;                                                                                                   \
    }
#else
#define GREATEST_IN_REGISTERS(T, BITS)                                                                                 \
    static npy_intp registers_##T(const char *x, int32_t *out, const npy_intp *table, npy_intp places, npy_intp channels) {\
        (void)x, (void)out, (void)table, (void)places, (void)channels;                                                 \
        return 0;                                                                                                      \
    }
#endif

/* NaN is not above a number. Operands: the table, x at the first place, the numbers of places. Sizes: windows, places,
   channels; steps: from window to window of x and of the result, then from channel to channel. */
#define GREATEST(T, BITS)                                                                                              \
    GREATEST_IN_REGISTERS(T, BITS)                                                                                     \
    WIDE void greatest_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) {         \
        const npy_intp *table = (const npy_intp *)args[0];                                                             \
        const int is_dense = steps[2] == sizeof(T) && steps[3] == sizeof(int32_t);                                     \
        for (npy_intp w = 0; w < sizes[0]; w++) {                                                                      \
            const char *x = args[1] + w * steps[0];                                                                    \
            char *out = args[2] + w * steps[1];                                                                        \
            npy_intp i = is_dense ? registers_##T(x, (int32_t *)out, table, sizes[1], sizes[2]) : 0;                   \
            for (; i < sizes[2]; i++) {                                                                                \
                T best = *(const T *)(x + i * steps[2] + table[0]);                                                    \
                int32_t found = 0;                                                                                     \
                for (npy_intp p = 1; p < sizes[1]; p++) {                                                              \
                    const T y = *(const T *)(x + i * steps[2] + table[p]);                                             \
                    if (best < y) best = y, found = (int32_t)p;                                                        \
                }                                                                                                      \
                *(int32_t *)(out + i * steps[3]) = found;                                                              \
            }                                                                                                          \
        }                                                                                                              \
    }
GREATEST(npy_float, int32_t)
GREATEST(npy_double, int64_t)
GREATEST(npy_int32, int32_t)
GREATEST(npy_int64, int64_t)
/* Zero at all places but one. Operands: the table, x, the numbers of places, the result at the first place. Sizes:
   windows, places, channels; steps: from window to window of x, the numbers and the result, then from channel to
   channel. Of a block, bits are masked: where `?:` chooses, GCC 12 with AVX2 takes the choices of the first half for the
   second too. */
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
                    for (int j = 0; j < BLOCK; j++) to[j] = from[j] & -(T)(at[j] == number);                           \
                }                                                                                                      \
                for (; i < sizes[2]; i++)                                                                              \
                    *(T *)(out + i * steps[5]) =                                                                       \
                        *(const int32_t *)(found + i * steps[4]) == number ? *(const T *)(x + i * steps[3]) : 0;       \
            }                                                                                                          \
    }
PUT(uint32_t)
PUT(uint64_t)
