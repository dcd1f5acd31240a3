/* The loops that stand in files of their own; engine/executors/_arena.c names them. */
#ifndef GRADWIRE_LOOPS_H
#define GRADWIRE_LOOPS_H
#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <Python.h>
#include <numpy/npy_common.h>
#include <stdint.h>
#include <string.h>

/* Several times the same function: the system takes the one with the widest registers that the processor has. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

/* Whether the compiler can be told to use the registers of AVX: products are only worth while with them. */
#if defined(__GNUC__) && defined(__x86_64__)
#define HAS_PRODUCTS 1
#else
#define HAS_PRODUCTS 0
#endif

#define LOOP(NAME) void NAME(char **args, const npy_intp *sizes, const npy_intp *steps, void *data)
LOOP(greatest_npy_float);
LOOP(greatest_npy_double);
LOOP(greatest_npy_int32);
LOOP(greatest_npy_int64);
LOOP(maximum_npy_float);
LOOP(maximum_npy_double);
LOOP(minimum_npy_float);
LOOP(minimum_npy_double);
LOOP(argmax_npy_float);
LOOP(argmax_npy_double);
LOOP(argmax_npy_int32);
LOOP(argmax_npy_int64);
LOOP(argmin_npy_float);
LOOP(argmin_npy_double);
LOOP(argmin_npy_int32);
LOOP(argmin_npy_int64);
LOOP(take_uint8_t);
LOOP(take_uint16_t);
LOOP(take_uint32_t);
LOOP(take_uint64_t);
LOOP(cast_npy_float_npy_int32);
LOOP(cast_npy_float_npy_int64);
LOOP(cast_npy_double_npy_int32);
LOOP(cast_npy_double_npy_int64);
LOOP(increment_npy_float);
LOOP(increment_npy_double);
LOOP(increment_uint32_t);
LOOP(increment_uint64_t);
LOOP(put_uint32_t);
LOOP(put_uint64_t);
#if HAS_PRODUCTS
LOOP(product_avx512f_npy_float);
LOOP(product_avx512f_npy_double);
LOOP(product_avx2_npy_float);
LOOP(product_avx2_npy_double);
#endif

/* How numbers stand: engine/executors/memory_layout.py says it of each layout, and engine/base/array_statistics.py names
   the kinds. */
enum { LOOK_COUNT, LOOK_KIND, LOOK_REPEATS, LOOK_COLUMNS };

/* What a piece holds: the numbers that engine/base/array_statistics.py names, in its order. */
enum { NAN_COUNT, INFINITE_COUNT, LEAST, LARGEST, LOW, HIGH, TOTAL, NORM, SURVEY_COLUMNS };

/* Writes the row of numbers that stand side by side. */
void look_at(const void *start, const int64_t *look, double *row);

#endif
