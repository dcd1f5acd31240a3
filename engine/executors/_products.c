/* Products of matrices whose first factor stands somewhere in pieces, as a convolution's windows do in an image.

   The element in row i and column k lies rows[i] + columns[k] bytes further on: nothing is copied together before it is
   multiplied. BLAS has to be given matrices, and packs them once more. */
#include "_loops.h"

#if HAS_PRODUCTS

/* What is multiplied for a tile of the result, so many numbers of each row, stays in the cache. */
enum { DEPTH = 256 };

#define EACH_ROW(ROWS) _Pragma("GCC unroll 8") for (int i = 0; i < ROWS; i++)
#define EACH_PART _Pragma("GCC unroll 2") for (int j = 0; j < parts; j++)

/* A tile stays in registers: so many rows, and two registers of so many bytes for each; AVX-512 has 32 registers of 64
   bytes, AVX2 16 of 32. The compiler knows `parts`, and `is_first`: then sums begin at zero, else with what stands
   there. Each sum adds in the same order, with one rounding for a product and its sum, so that all forms agree. */
#define TILES(FORM, TARGET, ROWS, REGISTER, T)                                                                         \
    typedef T Register_##FORM##_##T __attribute__((vector_size(REGISTER), aligned(sizeof(T)), may_alias));             \
    static inline __attribute__((always_inline)) void tile_##FORM##_##T(                                               \
        const char *const *rows, const npy_intp *columns, npy_intp count, const char *y, npy_intp step,                \
        char *const *out, int height, int is_first, const int parts) {                                                 \
        Register_##FORM##_##T sums[ROWS][2];                                                                           \
        const char *x[ROWS];                                                                                           \
        EACH_ROW(ROWS) {                                                                                               \
            x[i] = rows[i];                                                                                            \
            EACH_PART sums[i][j] = is_first ? (Register_##FORM##_##T){0} : ((const Register_##FORM##_##T *)out[i])[j]; \
        }                                                                                                              \
        for (npy_intp k = 0; k < count; k++, y += step) {                                                              \
            const npy_intp at = columns[k];                                                                            \
            Register_##FORM##_##T factors[2];                                                                          \
            EACH_PART factors[j] = ((const Register_##FORM##_##T *)y)[j];                                              \
            EACH_ROW(ROWS) EACH_PART sums[i][j] += *(const T *)(x[i] + at) * factors[j];                               \
        }                                                                                                              \
        EACH_ROW(ROWS) if (i < height) EACH_PART((Register_##FORM##_##T *)out[i])[j] = sums[i][j];                     \
    }                                                                                                                  \
    /* Operands: the offsets of rows and then of columns, x, y, out. Sizes: rows, depth, columns of the result; steps: \
       from row to row of y, and of the result, whose rows are whole registers. */                                     \
    __attribute__((target(TARGET))) void product_##FORM##_##T(                                                         \
        char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) {                            \
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
                        tile_##FORM##_##T(x, columns + k, count, y, steps[0], out, left, k == 0, 2);                   \
                    else                                                                                               \
                        tile_##FORM##_##T(x, columns + k, count, y, steps[0], out, left, k == 0, 1);                   \
                }                                                                                                      \
    }
TILES(avx512f, "avx512f", 8, 64, npy_float)
TILES(avx512f, "avx512f", 8, 64, npy_double)
TILES(avx2, "avx2,fma", 6, 32, npy_float)
TILES(avx2, "avx2,fma", 6, 32, npy_double)

#endif
