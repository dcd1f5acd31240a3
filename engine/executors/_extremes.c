/* The larger and the smaller of two numbers: NumPy's loops are slow with a single number for one operand, and take
   longer to find out how few elements lie than to compare them. Their results are the same bits. */
#include "_loops.h"

enum { BLOCK = 128 };
typedef void Loop(char **, const npy_intp *, const npy_intp *, void *);

/* Where neither number is above the other, because one is none or one zero has a sign, NumPy says which it is; its loop
   is in `data`, and does what lies otherwise as well. Results are written when a block is done: they may stand where
   an operand does. */
#define EXTREME(NAME, T, BITS, OPERATOR)                                                                               \
    WIDE void NAME##_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *data) {                      \
        const int one = steps[0] != 0, other = 1 - one;                                                                \
        if (steps[other] != sizeof(T) || (steps[one] != sizeof(T) && steps[one] != 0) || steps[2] != sizeof(T)) {      \
            ((Loop *)data)(args, sizes, steps, NULL);                                                                  \
            return;                                                                                                    \
        }                                                                                                              \
        T same[BLOCK], found[BLOCK];                                                                                   \
        for (int i = 0; steps[one] == 0 && i < BLOCK; i++) same[i] = *(const T *)args[one];                            \
        for (npy_intp start = 0; start < sizes[0]; start += BLOCK) {                                                   \
            const npy_intp count = sizes[0] - start < BLOCK ? sizes[0] - start : BLOCK;                                \
            char *block[] = {args[0] + start * steps[0], args[1] + start * steps[1], args[2] + start * steps[2]};      \
            const T *x = (const T *)block[other], *y = steps[one] == 0 ? same : (const T *)block[one];                 \
            BITS is_open = 0;                                                                                          \
            for (npy_intp i = 0; i < count; i++) {                                                                     \
                BITS a, b;                                                                                             \
                memcpy(&a, x + i, sizeof a), memcpy(&b, y + i, sizeof b);                                              \
                is_open |= (x[i] < y[i]) | (x[i] > y[i]) ? 0 : a ^ b;                                                  \
                found[i] = x[i] OPERATOR y[i] ? x[i] : y[i];                                                           \
            }                                                                                                          \
            if (is_open)                                                                                               \
                ((Loop *)data)(block, &count, steps, NULL);                                                            \
            else                                                                                                       \
                memcpy(block[2], found, count * sizeof(T));                                                            \
        }                                                                                                              \
    }
EXTREME(maximum, npy_float, uint32_t, >)
EXTREME(maximum, npy_double, uint64_t, >)
EXTREME(minimum, npy_float, uint32_t, <)
EXTREME(minimum, npy_double, uint64_t, <)
