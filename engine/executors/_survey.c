/* Statistics of numbers that stand side by side: engine/base/array_statistics.py says what each column means.

   Sums have the same bits on every machine, and those of NumPy in array_statistics.py. An element belongs to the lane
   that its place modulo LANES names. Each lane of a piece adds its elements one after the other, pieces are added in
   pairs, and the lanes last. Rounding errors grow with PIECE / LANES and with the logarithm of the number of pieces
   (Higham, The Accuracy of Floating Point Summation, 1993). Compilers do several lanes at once: the order is the same. */
#include "_loops.h"
#include <math.h>

/* Machines that multiply and add in one step round once instead of twice. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

enum { LANES = 16, FEW = 32, PIECE = 256, LEVELS = 56 };

typedef struct {
    double total[LANES], squares[LANES];
} Sums;

/* What all pieces so far have, in lanes. `low`, `high` and `least`, an absolute value, are those of finite numbers. */
typedef struct {
    double low[LANES], high[LANES], least[LANES];
    int64_t nan, infinite;
} Facts;

/* Sums of 1, 2, 4, ... pieces: the bits of `count` say which there are. */
typedef struct {
    Sums levels[LEVELS];
    npy_intp count;
} Tree;

#define SMALLER(A, B) ((A) < (B) ? (A) : (B))
#define LARGER(A, B) ((A) > (B) ? (A) : (B))

/* -- sums --------------------------------------------------------------------------------------------------------- */

static inline void add_sums(Sums *sums, const Sums *more) {
    for (int j = 0; j < LANES; j++) sums->total[j] += more->total[j], sums->squares[j] += more->squares[j];
}

static inline void join(Tree *tree, Sums *sums) {
    int level = 0;
    for (npy_intp pieces = tree->count++; pieces & 1; pieces >>= 1) add_sums(sums, tree->levels + level++);
    tree->levels[level] = *sums;
}

static inline void join_all(const Tree *tree, Sums *sums) {
    memset(sums, 0, sizeof *sums);
    for (int level = 0; tree->count >> level; level++)
        if (tree->count >> level & 1) add_sums(sums, tree->levels + level);
}

/* -- pieces ------------------------------------------------------------------------------------------------------- */

#define TAKE(J, NUMBER)                                                                                                \
    do {                                                                                                               \
        const double number = (NUMBER), size = fabs(number);                                                           \
        total[J] += number, squares[J] += number * number;                                                             \
        low[J] = SMALLER(number, low[J]), high[J] = LARGER(number, high[J]), least[J] = SMALLER(size, least[J]);       \
    } while (0)

/* Takes a piece of finite numbers. Compilers keep arrays in registers that nobody else sees. */
WIDE static void take_finite(const double *x, npy_intp count, Facts *facts, Sums *sums) {
    double total[LANES] = {0}, squares[LANES] = {0}, low[LANES], high[LANES], least[LANES];
    memcpy(low, facts->low, sizeof low), memcpy(high, facts->high, sizeof high);
    memcpy(least, facts->least, sizeof least);
    const npy_intp whole = count - count % LANES;
    for (npy_intp i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++) TAKE(j, x[i + j]);
    for (npy_intp i = whole; i < count; i++) TAKE(i - whole, x[i]);
    memcpy(sums->total, total, sizeof total), memcpy(sums->squares, squares, sizeof squares);
    memcpy(facts->low, low, sizeof low), memcpy(facts->high, high, sizeof high);
    memcpy(facts->least, least, sizeof least);
}

static inline void replace(const double *x, npy_intp count, double by, double *replaced) {
    for (npy_intp i = 0; i < count; i++) replaced[i] = fabs(x[i]) < INFINITY ? x[i] : by;
}

/* Takes any piece. To replace what is not finite by 0 changes no sum; by a number of the piece, neither least nor
   largest. */
static inline void take_any(const double *x, npy_intp count, Facts *facts, Sums *sums) {
    double replaced[PIECE];
    npy_intp first = 0;
    int64_t nan = 0, infinite = 0;
    Facts unused = *facts;
    for (npy_intp i = 0; i < count; i++) nan += x[i] != x[i] ? 1 : 0, infinite += fabs(x[i]) == INFINITY ? 1 : 0;
    facts->nan += nan, facts->infinite += infinite;
    if (nan + infinite < count) {
        while (!(fabs(x[first]) < INFINITY)) first++;
        replace(x, count, x[first], replaced);
        take_finite(replaced, count, facts, sums);
    }
    replace(x, count, 0, replaced);
    take_finite(replaced, count, &unused, sums);
}

#define WIDEN(T)                                                                                                       \
    do {                                                                                                               \
        for (npy_intp i = 0; i < count; i++) wide[i] = (double)((const T *)start)[first + i] * scale;                  \
        return wide;                                                                                                   \
    } while (0)

/* Returns a piece as doubles, times a power of two. */
static inline const double *widened(const void *start, int kind, npy_intp first, npy_intp count, double scale,
                                    double *wide) {
    switch (kind) {
    case 0: WIDEN(npy_float);
    case 1:
        if (scale == 1) return (const double *)start + first;
        WIDEN(npy_double);
    case 2: WIDEN(npy_bool);
    case 3: WIDEN(npy_int32);
    default: WIDEN(npy_int64);
    }
}

/* Takes all numbers, times a power of two; the first lane then has the result. */
WIDE static void take_all(const void *start, int kind, npy_intp count, double scale, int is_finite, Facts *facts,
                          Sums *sums) {
    double wide[PIECE];
    Tree tree;
    tree.count = 0;
    for (int j = 0; j < LANES; j++) facts->low[j] = facts->least[j] = INFINITY, facts->high[j] = -INFINITY;
    facts->nan = facts->infinite = 0;
    for (npy_intp i = 0; i < count; i += PIECE) {
        const npy_intp length = SMALLER(count - i, PIECE);
        const double *x = widened(start, kind, i, length, scale, wide);
        if (is_finite)
            take_finite(x, length, facts, sums);
        else
            take_any(x, length, facts, sums);
        if (count > PIECE) join(&tree, sums);
    }
    if (count > PIECE) join_all(&tree, sums);
    for (int half = LANES / 2; half; half /= 2)
        for (int j = 0; j < half; j++) {
            sums->total[j] += sums->total[j + half], sums->squares[j] += sums->squares[j + half];
            facts->low[j] = SMALLER(facts->low[j + half], facts->low[j]);
            facts->high[j] = LARGER(facts->high[j + half], facts->high[j]);
            facts->least[j] = SMALLER(facts->least[j + half], facts->least[j]);
        }
}

/* Takes at most FEW numbers, one after the other: most arrays of a graph have no more. */
static inline void take_few(const void *start, int kind, npy_intp count, double scale, Facts *facts, Sums *sums) {
    double wide[FEW], total = 0, squares = 0, low = INFINITY, high = -INFINITY, least = INFINITY;
    const double *x = widened(start, kind, 0, count, scale, wide);
    facts->nan = facts->infinite = 0;
    for (npy_intp i = 0; i < count; i++) {
        const double number = x[i], size = fabs(number);
        if (size < INFINITY) {
            total += number, squares += number * number;
            low = SMALLER(number, low), high = LARGER(number, high), least = SMALLER(size, least);
        } else {
            facts->nan += number != number, facts->infinite += number == number;
        }
    }
    facts->low[0] = low, facts->high[0] = high, facts->least[0] = least;
    sums->total[0] = total, sums->squares[0] = squares;
}

static inline void take(const void *start, int kind, npy_intp count, double scale, Facts *facts, Sums *sums) {
    if (count <= FEW) {
        take_few(start, kind, count, scale, facts, sums);
        return;
    }
    take_all(start, kind, count, scale, 1, facts, sums);
    /* The squares of finite numbers may overflow, too. */
    if (!(sums->squares[0] < INFINITY)) take_all(start, kind, count, scale, 0, facts, sums);
}

/* -- rows --------------------------------------------------------------------------------------------------------- */

/* Squares of numbers outside of these bounds overflow, or lose digits that count. */
static const double LEAST_PLAIN = 0x1p-400, LARGEST_PLAIN = 0x1p400;
/* The opposite of this exponent is still one of a finite power of two. */
enum { LEAST_SHIFT = -1000 };

/* Returns a norm from scaled squares: a power of two changes no digit. */
static double scaled_norm(const void *start, int kind, npy_intp count, double largest) {
    int shift;
    Facts facts;
    Sums sums;
    frexp(largest, &shift);
    if (shift < LEAST_SHIFT) shift = LEAST_SHIFT;
    take(start, kind, count, ldexp(1, -shift), &facts, &sums);
    return ldexp(sqrt(sums.squares[0]), shift);
}

void look_at(const void *start, const int64_t *look, double *row) {
    const int kind = (int)look[LOOK_KIND];
    const npy_intp count = (npy_intp)look[LOOK_COUNT];
    Facts facts;
    Sums sums;
    take(start, kind, count, 1, &facts, &sums);
    const int has_any = facts.low[0] <= facts.high[0];
    /* Adding 0 takes the sign from a zero, which would depend on the order. */
    const double low = (has_any ? facts.low[0] : 0) + 0.0, high = (has_any ? facts.high[0] : 0) + 0.0;
    const double largest = facts.nan ? NAN : facts.infinite ? INFINITY : LARGER(high, 0 - low);
    double norm = largest;
    if (LEAST_PLAIN <= largest && largest <= LARGEST_PLAIN)
        norm = sqrt(sums.squares[0]);
    else if (0 < largest && largest < INFINITY)
        norm = scaled_norm(start, kind, count, largest);
    row[NAN_COUNT] = (double)facts.nan, row[INFINITE_COUNT] = (double)facts.infinite;
    row[LEAST] = facts.nan ? NAN : facts.least[0], row[LARGEST] = largest;
    row[LOW] = low, row[HIGH] = high, row[TOTAL] = sums.total[0] + 0.0, row[NORM] = norm;
    if (look[LOOK_REPEATS] != 1) {
        const double repeats = (double)look[LOOK_REPEATS];
        row[NAN_COUNT] *= repeats, row[INFINITE_COUNT] *= repeats, row[TOTAL] *= repeats, row[NORM] *= sqrt(repeats);
    }
}
