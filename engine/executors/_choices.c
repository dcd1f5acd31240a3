/* Elements chosen along an axis by their indices, and the places of the greatest and the smallest ones along it.

   Sizes: results, and elements along the axis. The last step goes along the axis. Units: bytes. */
#include "_loops.h"

/* Python checks the indices after a run, and uses no result of a wrong one; until then it chooses the first element, so
   that nothing outside of the operand is read. */
static inline npy_intp place_of(int64_t index, npy_intp size) {
    const int64_t place = index < 0 ? index + size : index;
    return place >= 0 && place < size ? (npy_intp)place : 0;
}

/* Operands: x, indices, result. One index for all results chooses a row, which lies in one piece more often than not. */
#define TAKE(T)                                                                                                        \
    void take_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) {                  \
        const char *x = args[0], *index = args[1];                                                                     \
        char *out = args[2];                                                                                           \
        if (steps[1] == 0) {                                                                                           \
            x += place_of(*(const int64_t *)index, sizes[1]) * steps[3];                                               \
            if (steps[0] == sizeof(T) && steps[2] == sizeof(T)) {                                                      \
                memcpy(out, x, sizes[0] * sizeof(T));                                                                  \
                return;                                                                                                \
            }                                                                                                          \
            for (npy_intp i = 0; i < sizes[0]; i++, x += steps[0], out += steps[2]) *(T *)out = *(const T *)x;         \
            return;                                                                                                    \
        }                                                                                                              \
        for (npy_intp i = 0; i < sizes[0]; i++, x += steps[0], index += steps[1], out += steps[2])                     \
            *(T *)out = *(const T *)(x + place_of(*(const int64_t *)index, sizes[1]) * steps[3]);                      \
    }
TAKE(uint8_t)
TAKE(uint16_t)
TAKE(uint32_t)
TAKE(uint64_t)

/* Operands: sums, x, indices, sums again. Several elements for one place are added in their order. */
#define INCREMENT(T)                                                                                                   \
    void increment_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) {             \
        const char *x = args[1], *index = args[2];                                                                     \
        char *out = args[3];                                                                                           \
        for (npy_intp i = 0; i < sizes[0]; i++, x += steps[1], index += steps[2], out += steps[3]) {                   \
            T *sum = (T *)(out + place_of(*(const int64_t *)index, sizes[1]) * steps[4]);                              \
            *sum = (T)(*sum + *(const T *)x);                                                                          \
        }                                                                                                              \
    }
INCREMENT(npy_float)
INCREMENT(npy_double)
/* Signed numbers overflow in no defined way; those without a sign have the same bits. */
INCREMENT(uint32_t)
INCREMENT(uint64_t)

/* Floating point cut to integers. Python checks afterwards that the integers hold the numbers: beyond them C leaves the
   result open, and NumPy's differs from one processor to another. */
#define CUT(FROM, TO, LIMIT)                                                                                           \
    void cast_##FROM##_##TO(char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) {        \
        const char *x = args[0];                                                                                       \
        char *out = args[1];                                                                                           \
        for (npy_intp i = 0; i < sizes[0]; i++, x += steps[0], out += steps[1]) {                                      \
            const FROM number = *(const FROM *)x;                                                                      \
            *(TO *)out = number >= -(FROM)LIMIT && number < (FROM)LIMIT ? (TO)number : 0;                              \
        }                                                                                                              \
    }
CUT(npy_float, npy_int32, 0x1p31)
CUT(npy_float, npy_int64, 0x1p63)
CUT(npy_double, npy_int32, 0x1p31)
CUT(npy_double, npy_int64, 0x1p63)

/* Operands: x, places. The first of equal elements counts, and as in NumPy the first NaN comes before all numbers. */
#define PLACE(NAME, T, OPERATOR)                                                                                       \
    void NAME##_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) {                \
        const char *x = args[0];                                                                                       \
        char *out = args[1];                                                                                           \
        for (npy_intp i = 0; i < sizes[0]; i++, x += steps[0], out += steps[1]) {                                      \
            T best = *(const T *)x;                                                                                    \
            npy_intp found = 0;                                                                                        \
            for (npy_intp p = 1; p < sizes[1] && best == best; p++) {                                                  \
                const T y = *(const T *)(x + p * steps[2]);                                                            \
                if (y OPERATOR best || y != y) best = y, found = p;                                                    \
            }                                                                                                          \
            *(int64_t *)out = found;                                                                                   \
        }                                                                                                              \
    }
#define PLACES(T)                                                                                                      \
    PLACE(argmax, T, >)                                                                                                \
    PLACE(argmin, T, <)
PLACES(npy_float)
PLACES(npy_double)
PLACES(npy_int32)
PLACES(npy_int64)
