/* Products of matrices whose first factor stands somewhere in pieces, as a convolution's windows do in an image.

   The element in row i and column k lies rows[i] + columns[k] bytes further on: nothing is copied together before it is
   multiplied. BLAS has to be given matrices, and packs them once more. */
#include "_loops.h"

#if HAS_PRODUCTS

/* A tile of the result stays in registers: so many rows, and two registers of 64 bytes for each. What is multiplied for
   it, so many numbers of each row, stays in the cache. */
enum { ROWS = 8, DEPTH = 256, REGISTER = 64 };

#define EACH_ROW _Pragma("GCC unroll 8") for (int i = 0; i < ROWS; i++)
#define EACH_PART _Pragma("GCC unroll 2") for (int j = 0; j < parts; j++)

/* The compiler knows `parts`, and `is_first`: then sums begin at zero, else with what stands there. */
#define TILES(T)                                                                                                       \
    typedef T Register_##T __attribute__((vector_size(REGISTER), aligned(sizeof(T)), may_alias));                      \
    static inline __attribute__((always_inline)) void tile_##T(                                                        \
        const char *const *rows, const npy_intp *columns, npy_intp count, const char *y, npy_intp step,                \
        char *const *out, int height, int is_first, const int parts) {                                                 \
        Register_##T sums[ROWS][2];                                                                                    \
        const char *x[ROWS];                                                                                           \
        EACH_ROW {                                                                                                     \
            x[i] = rows[i];                                                                                            \
            EACH_PART sums[i][j] = is_first ? (Register_##T){0} : ((const Register_##T *)out[i])[j];                   \
        }                                                                                                              \
        for (npy_intp k = 0; k < count; k++, y += step) {                                                              \
            const npy_intp at = columns[k];                                                                            \
            Register_##T factors[2];                                                                                   \
            EACH_PART factors[j] = ((const Register_##T *)y)[j];                                                       \
            EACH_ROW EACH_PART sums[i][j] += *(const T *)(x[i] + at) * factors[j];                                     \
        }                                                                                                              \
        EACH_ROW if (i < height) EACH_PART((Register_##T *)out[i])[j] = sums[i][j];                                    \
    }                                                                                                                  \
    /* Operands: the offsets of rows and then of columns, x, y, out. Sizes: rows, depth, columns of the result; steps: \
       from row to row of y, and of the result, whose rows are whole registers. */                                     \
    __attribute__((target("avx512f"))) void product_##T(char **args, const npy_intp *sizes, const npy_intp *steps,     \
                                                        void *Py_UNUSED(data)) {                                       \
        const npy_intp height = sizes[0], depth = sizes[1], width = sizes[2] * (npy_intp)sizeof(T);                    \
        const npy_intp *rows = (const npy_intp *)args[0], *columns = rows + height;                                    \
        for (npy_intp k = 0; k < depth; k += DEPTH)                                                                    \
            for (npy_intp n = 0; n < width; n += 2 * REGISTER)                                                         \
                for (npy_intp m = 0; m < height; m += ROWS) {                                                          \
                    const npy_intp count = depth - k < DEPTH ? depth - k : DEPTH;                                      \
                    const int left = height - m < ROWS ? (int)(height - m) : ROWS;                                     \
                    const char *x[ROWS], *y = args[2] + k * steps[0] + n;                                              \
                    char *out[ROWS];                                                                                   \
                    for (int i = 0; i < ROWS; i++) {                                                                   \
                        /* Rows that are not there repeat the first of the tile, and are not written. */               \
                        const npy_intp row = i < left ? m + i : m;                                                     \
                        x[i] = args[1] + rows[row], out[i] = args[3] + row * steps[1] + n;                             \
                    }                                                                                                  \
                    if (width - n >= 2 * REGISTER)                                                                     \
                        tile_##T(x, columns + k, count, y, steps[0], out, left, k == 0, 2);                            \
                    else                                                                                               \
                        tile_##T(x, columns + k, count, y, steps[0], out, left, k == 0, 1);                            \
                }                                                                                                      \
    }
TILES(npy_float)
TILES(npy_double)

#endif
