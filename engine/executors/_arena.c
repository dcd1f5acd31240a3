/* The interpreter of plans: runs a list of instructions over the arena that holds all tensors of a graph.

   A graph is data: no edit compiles anything. An instruction calls one of NumPy's own inner loops, so that its results
   are NumPy's to the last bit, without the Python around the loop, which costs fifty times more than sixteen numbers.
   Memory belongs to NumPy arrays that Python hands over; engine/executors/arena.py writes the instructions and keeps offsets
   inside of them, and nothing is checked again here. */
#include "_loops.h"
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

enum { MAX_OPERANDS = 4, MAX_RANK = 64 };

/* `sizes` is what NumPy calls dimensions and steps: one after the other, as the loop expects them. Before them stand
   the outer sizes, and for each outer axis the strides of all operands. */
typedef struct {
    PyUFuncGenericFunction loop;
    void *data;
    char *operands[MAX_OPERANDS];
    const npy_intp *sizes;
    int32_t count, rank, dimensions;
} Instruction;

/* `kept` is a list of all that instructions point into. */
typedef struct {
    PyObject_HEAD
    PyObject *kept;
    Py_buffer memory;
    Instruction *instructions;
    Py_ssize_t count;
} Program;

/* Several times the same function: the system takes the one with the widest registers that the processor has. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

/* -- loops that NumPy has, but not as loops of ufuncs ------------------------------------------------------------- */

/* Elements that stand side by side have a way of their own: compilers then work on several at once. A choice is made by
   bits: a branch is mispredicted for every second of the elements that come in no order. */
#define CHOOSE(T)                                                                                                      \
    static void choose_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) {         \
        const char *condition = args[0], *x = args[1], *y = args[2];                                                   \
        char *out = args[3];                                                                                           \
        if (steps[0] == 1 && steps[1] == sizeof(T) && steps[2] == sizeof(T) && steps[3] == sizeof(T)) {                \
            const T *a = (const T *)x, *b = (const T *)y;                                                              \
            for (npy_intp i = 0; i < sizes[0]; i++) {                                                                  \
                const T kept = -(T)(condition[i] != 0);                                                                \
                ((T *)out)[i] = (a[i] & kept) | (b[i] & ~kept);                                                        \
            }                                                                                                          \
            return;                                                                                                    \
        }                                                                                                              \
        for (npy_intp i = 0; i < sizes[0]; i++) {                                                                      \
            const T kept = -(T)(*condition != 0);                                                                      \
            *(T *)out = (*(const T *)x & kept) | (*(const T *)y & ~kept);                                              \
            condition += steps[0], x += steps[1], y += steps[2], out += steps[3];                                      \
        }                                                                                                              \
    }
#define COPY(T)                                                                                                        \
    static void copy_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) {           \
        const char *x = args[0];                                                                                       \
        char *out = args[1];                                                                                           \
        if (steps[0] == sizeof(T) && steps[1] == sizeof(T)) {                                                          \
            memcpy(out, x, sizes[0] * sizeof(T));                                                                      \
            return;                                                                                                    \
        }                                                                                                              \
        if (steps[0] == 0 && steps[1] == sizeof(T)) {                                                                  \
            const T value = *(const T *)x;                                                                             \
            for (npy_intp i = 0; i < sizes[0]; i++) ((T *)out)[i] = value;                                             \
            return;                                                                                                    \
        }                                                                                                              \
        for (npy_intp i = 0; i < sizes[0]; i++, x += steps[0], out += steps[1]) *(T *)out = *(const T *)x;             \
    }
#define CAST(FROM, TO)                                                                                                 \
    WIDE static void cast_##FROM##_##TO(char **args, const npy_intp *sizes, const npy_intp *steps,                     \
                                        void *Py_UNUSED(data)) {                                                       \
        const char *x = args[0];                                                                                       \
        char *out = args[1];                                                                                           \
        if (steps[0] == sizeof(FROM) && steps[1] == sizeof(TO)) {                                                      \
            for (npy_intp i = 0; i < sizes[0]; i++) ((TO *)out)[i] = (TO)((const FROM *)x)[i];                         \
            return;                                                                                                    \
        }                                                                                                              \
        for (npy_intp i = 0; i < sizes[0]; i++, x += steps[0], out += steps[1]) *(TO *)out = (TO) * (const FROM *)x;   \
    }
/* Adds elements that stand side by side to a sum, a piece at a time, in lanes that are added up at the end of each: in
   another order than NumPy, twice as fast, and as exact where they are some thousands. */
enum { LANES = 32, PIECE = 1024 };
#define SUM(T)                                                                                                   \
    WIDE static T sum_piece_##T(const T *x, npy_intp count) {                                                          \
        T lanes[LANES] = {0};                                                                                          \
        npy_intp whole = count - count % LANES;                                                                        \
        for (npy_intp i = 0; i < whole; i += LANES)                                                                    \
            for (int j = 0; j < LANES; j++) lanes[j] += x[i + j];                                                      \
        for (npy_intp i = whole; i < count; i++) lanes[i - whole] += x[i];                                             \
        for (int half = LANES / 2; half; half /= 2)                                                                    \
            for (int j = 0; j < half; j++) lanes[j] += lanes[j + half];                                                \
        return lanes[0];                                                                                               \
    }                                                                                                                  \
    static void sum_##T(char **args, const npy_intp *sizes, const npy_intp *Py_UNUSED(steps), void *Py_UNUSED(data)) { \
        const T *x = (const T *)args[1];                                                                               \
        for (npy_intp i = 0; i < sizes[0]; i += PIECE)                                                                 \
            *(T *)args[2] += sum_piece_##T(x + i, sizes[0] - i < PIECE ? sizes[0] - i : PIECE);                        \
    }
SUM(npy_float)
SUM(npy_double)
#define SIZES(M) M(uint8_t) M(uint16_t) M(uint32_t) M(uint64_t)
SIZES(CHOOSE)
SIZES(COPY)
/* Only casts that mean the same in C and in NumPy, whatever the number: none from floating point to integers. */
#define CASTS(M)                                                                                                       \
    M(npy_bool, npy_float) M(npy_bool, npy_double) M(npy_bool, npy_int32) M(npy_bool, npy_int64)                       \
    M(npy_int32, npy_float) M(npy_int32, npy_double) M(npy_int32, npy_int64)                                           \
    M(npy_int64, npy_float) M(npy_int64, npy_double) M(npy_int64, npy_int32)                                           \
    M(npy_float, npy_double) M(npy_double, npy_float)
CASTS(CAST)

static const struct {
    const char *name;
    PyUFuncGenericFunction loop;
} OWN_LOOPS[] = {
    {"choose_1", choose_uint8_t}, {"choose_2", choose_uint16_t}, {"choose_4", choose_uint32_t},
    {"choose_8", choose_uint64_t}, {"copy_1", copy_uint8_t}, {"copy_2", copy_uint16_t},
    {"copy_4", copy_uint32_t}, {"copy_8", copy_uint64_t},
    {"cast_bool_float32", cast_npy_bool_npy_float}, {"cast_bool_float64", cast_npy_bool_npy_double},
    {"cast_bool_int32", cast_npy_bool_npy_int32}, {"cast_bool_int64", cast_npy_bool_npy_int64},
    {"cast_int32_float32", cast_npy_int32_npy_float}, {"cast_int32_float64", cast_npy_int32_npy_double},
    {"cast_int32_int64", cast_npy_int32_npy_int64}, {"cast_int64_float32", cast_npy_int64_npy_float},
    {"cast_int64_float64", cast_npy_int64_npy_double}, {"cast_float32_float64", cast_npy_float_npy_double},
    {"cast_float64_float32", cast_npy_double_npy_float},
    {"cast_int64_int32", cast_npy_int64_npy_int32},
    {"cast_float32_int32", cast_npy_float_npy_int32}, {"cast_float32_int64", cast_npy_float_npy_int64},
    {"cast_float64_int32", cast_npy_double_npy_int32}, {"cast_float64_int64", cast_npy_double_npy_int64},
    {"increment_float32", increment_npy_float}, {"increment_float64", increment_npy_double},
    {"increment_int32", increment_uint32_t}, {"increment_int64", increment_uint64_t},
    {"sum_float32", sum_npy_float}, {"sum_float64", sum_npy_double},
    {"greatest_float32", greatest_npy_float}, {"greatest_float64", greatest_npy_double},
    {"greatest_int32", greatest_npy_int32}, {"greatest_int64", greatest_npy_int64},
    {"put_4", put_uint32_t}, {"put_8", put_uint64_t},
    {"argmax_float32", argmax_npy_float}, {"argmax_float64", argmax_npy_double},
    {"argmax_int32", argmax_npy_int32}, {"argmax_int64", argmax_npy_int64},
    {"argmin_float32", argmin_npy_float}, {"argmin_float64", argmin_npy_double},
    {"argmin_int32", argmin_npy_int32}, {"argmin_int64", argmin_npy_int64},
    {"take_1", take_uint8_t}, {"take_2", take_uint16_t}, {"take_4", take_uint32_t}, {"take_8", take_uint64_t},
#if HAS_PRODUCTS
    {"product_avx512f_float32", product_avx512f_npy_float}, {"product_avx512f_float64", product_avx512f_npy_double},
    {"product_avx2_float32", product_avx2_npy_float}, {"product_avx2_float64", product_avx2_npy_double},
#endif
};
enum { OWN_COUNT = sizeof OWN_LOOPS / sizeof *OWN_LOOPS };

/* -- loops that ufuncs have, for few elements --------------------------------------------------------------------- */

/* Arithmetic and comparisons have one result by IEEE 754, whoever does them. For few elements NumPy's loops take longer
   to find out how their operands lie than to compute. What lies otherwise, and what is large, is left to them: the loop
   of NumPy is in `data`. */
enum { FEW = 128 };

/* The number of elements is known to the compiler in the first of the loops, which it can thus do several at a time. */
#define EACH(COUNT, STATEMENT)                                                                                         \
    do {                                                                                                               \
        npy_intp i = 0;                                                                                                \
        for (; i + 8 <= (COUNT); i += 8)                                                                               \
            for (npy_intp j = i; j < i + 8; j++) STATEMENT;                                                            \
        for (npy_intp j = i; j < (COUNT); j++) STATEMENT;                                                              \
    } while (0)


/* Where neither operand is a number the result is the first of them, but compilers exchange those of sums and products:
   then NumPy's loop is asked. */
#define PLAIN(NAME, T, TO, OPERATOR, IS_OPEN)                                                                          \
    WIDE static void NAME##_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *data) {               \
        const T *restrict x = (const T *)args[0], *restrict y = (const T *)args[1];                                    \
        TO *restrict z = (TO *)args[2];                                                                                \
        const npy_intp size = sizeof(T);                                                                               \
        /* A reduction adds to what it reads, and must not do so twice. */                                             \
        int is_done = sizes[0] <= FEW && steps[2] == sizeof(TO) && args[2] != args[0] && args[2] != args[1];           \
        if (is_done && steps[0] == size && steps[1] == size) {                                                         \
            EACH(sizes[0], z[j] = x[j] OPERATOR y[j]);                                                                 \
        } else if (is_done && steps[0] == size && steps[1] == 0) {                                                     \
            const T same = *y;                                                                                         \
            EACH(sizes[0], z[j] = x[j] OPERATOR same);                                                                 \
        } else if (is_done && steps[0] == 0 && steps[1] == size) {                                                     \
            const T same = *x;                                                                                         \
            EACH(sizes[0], z[j] = same OPERATOR y[j]);                                                                 \
        } else {                                                                                                       \
            is_done = 0;                                                                                               \
        }                                                                                                              \
        int is_open = 0;                                                                                               \
        for (npy_intp j = 0; is_done && j < sizes[0]; j++) is_open |= IS_OPEN;                                         \
        if (!is_done || is_open) ((PyUFuncGenericFunction)data)(args, sizes, steps, NULL);                             \
    }
#define PLAIN_UNARY(NAME, T, EXPRESSION)                                                                               \
    WIDE static void NAME##_##T(char **args, const npy_intp *sizes, const npy_intp *steps, void *data) {               \
        const T *restrict x = (const T *)args[0];                                                                      \
        T *restrict z = (T *)args[1];                                                                                  \
        const npy_intp size = sizeof(T);                                                                               \
        if (sizes[0] <= FEW && steps[0] == size && steps[1] == size) {                                                 \
            EACH(sizes[0], z[j] = (EXPRESSION));                                                                       \
        } else {                                                                                                       \
            ((PyUFuncGenericFunction)data)(args, sizes, steps, NULL);                                                  \
        }                                                                                                              \
    }
#define FLOATS(M) M(npy_float) M(npy_double)
#define ARITHMETIC(T)                                                                                                  \
    PLAIN(add, T, T, +, z[j] != z[j])                                                                                  \
    PLAIN(subtract, T, T, -, 0)                                                                                        \
    PLAIN(multiply, T, T, *, z[j] != z[j])                                                                             \
    PLAIN(divide, T, T, /, 0)                                                                                          \
    PLAIN_UNARY(negative, T, -x[j])                                                                                    \
    PLAIN_UNARY(square, T, x[j] * x[j])
#define COMPARISONS(T)                                                                                                 \
    PLAIN(greater, T, npy_bool, >, 0)                                                                                  \
    PLAIN(greater_equal, T, npy_bool, >=, 0)                                                                           \
    PLAIN(less, T, npy_bool, <, 0)                                                                                     \
    PLAIN(less_equal, T, npy_bool, <=, 0)                                                                              \
    PLAIN(equal, T, npy_bool, ==, 0)                                                                                   \
    PLAIN(not_equal, T, npy_bool, !=, 0)
FLOATS(ARITHMETIC)
FLOATS(COMPARISONS)

#define LOOPS_OF(NAME) {#NAME, {NAME##_npy_float, NAME##_npy_double}}
static const struct {
    const char *ufunc;
    PyUFuncGenericFunction loops[2];
} PLAIN_LOOPS[] = {
    LOOPS_OF(add), LOOPS_OF(subtract), LOOPS_OF(multiply), LOOPS_OF(divide), LOOPS_OF(negative), LOOPS_OF(square),
    LOOPS_OF(greater), LOOPS_OF(greater_equal), LOOPS_OF(less), LOOPS_OF(less_equal), LOOPS_OF(equal),
    LOOPS_OF(not_equal), LOOPS_OF(maximum), LOOPS_OF(minimum),
};
enum { PLAIN_COUNT = sizeof PLAIN_LOOPS / sizeof *PLAIN_LOOPS };

/* -- running ------------------------------------------------------------------------------------------------------ */

/* A loop may move the pointers that it is given. */
static inline void call(const Instruction *p, char *const *operands, const npy_intp *sizes) {
    char *given[MAX_OPERANDS];
    memcpy(given, operands, sizeof given);
    p->loop(given, sizes, sizes + p->dimensions, p->data);
}

/* The loop once for each place along the outer axes. */
static void run_outer(const Instruction *p) {
    const npy_intp *outer = p->sizes, *strides = outer + p->rank, *sizes = strides + p->rank * p->count;
    npy_intp at[MAX_RANK] = {0};
    char *operands[MAX_OPERANDS];
    memcpy(operands, p->operands, sizeof operands);
    for (;;) {
        call(p, operands, sizes);
        int axis = p->rank - 1;
        for (; axis >= 0; axis--) {
            const npy_intp *stride = strides + axis * p->count;
            if (++at[axis] < outer[axis]) {
                for (int i = 0; i < p->count; i++) operands[i] += stride[i];
                break;
            }
            for (int i = 0; i < p->count; i++) operands[i] -= stride[i] * (outer[axis] - 1);
            at[axis] = 0;
        }
        if (axis < 0) return;
    }
}

static inline void run_one(const Instruction *p) {
    if (p->rank == 0) {
        call(p, p->operands, p->sizes);
    } else {
        run_outer(p);
    }
}

static PyObject *program_run(Program *self, PyObject *Py_UNUSED(nothing)) {
    const Instruction *p = self->instructions, *end = p + self->count;
    Py_BEGIN_ALLOW_THREADS
    for (; p < end; p++) run_one(p);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

/* What an operand moves by from one tile, chunk and lane to the next. */
enum { TILE, CHUNK, LANE, PITCHES };

/* run_tiles(first, end, pitches, tile, last, chunk, lane): some instructions for each tile before `last` in turn;
   there are `chunk` tiles in a chunk. */
static PyObject *program_run_tiles(Program *self, PyObject *args) {
    Py_ssize_t first, end, tile, last, chunk, lane;
    Py_buffer pitches;
    if (!PyArg_ParseTuple(args, "nny*nnnn:run_tiles", &first, &end, &pitches, &tile, &last, &chunk, &lane)) return NULL;
    if (first < 0 || end > self->count || chunk < 1 ||
        pitches.len < (end - first) * (Py_ssize_t)(MAX_OPERANDS * PITCHES * sizeof(int64_t))) {
        PyBuffer_Release(&pitches);
        PyErr_SetString(PyExc_IndexError, "there are not so many instructions");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    for (; tile < last; tile++) {
        Py_ssize_t at = tile / chunk;
        const int64_t *pitch = pitches.buf;
        for (Py_ssize_t i = first; i < end; i++) {
            Instruction moved = self->instructions[i];
            for (int j = 0; j < MAX_OPERANDS; j++, pitch += PITCHES)
                moved.operands[j] += tile * pitch[TILE] + at * pitch[CHUNK] + lane * pitch[LANE];
            run_one(&moved);
        }
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&pitches);
    Py_RETURN_NONE;
}

/* -- building ----------------------------------------------------------------------------------------------------- */

static void use_plain_loop(const char *ufunc, char from, char to, Instruction *p) {
    if (p->data != NULL || (from != NPY_FLOAT && from != NPY_DOUBLE) || (to != from && to != NPY_BOOL)) return;
    for (int i = 0; i < PLAIN_COUNT; i++)
        if (strcmp(PLAIN_LOOPS[i].ufunc, ufunc) == 0) {
            p->data = (void *)p->loop;
            p->loop = PLAIN_LOOPS[i].loops[from == NPY_DOUBLE];
        }
}

/* A loop is the name of one of ours, or a ufunc with the place of the loop among its loops. True behind them asks for
   just that loop, as running totals do: each of their results is an operand of the next one. */
static int find_loop(PyObject *item, Instruction *p) {
    if (PyUnicode_Check(item)) {
        for (int i = 0; i < OWN_COUNT; i++)
            if (PyUnicode_CompareWithASCIIString(item, OWN_LOOPS[i].name) == 0) {
                p->loop = OWN_LOOPS[i].loop;
                p->data = NULL;
                return 0;
            }
        PyErr_Format(PyExc_KeyError, "there is no loop %R", item);
        return -1;
    }
    PyUFuncObject *ufunc;
    int place, is_running = 0;
    if (!PyArg_ParseTuple(item, "O!i|p", &PyUFunc_Type, &ufunc, &place, &is_running)) return -1;
    if (place < 0 || place >= ufunc->ntypes || ufunc->functions[place] == NULL) {
        PyErr_SetString(PyExc_IndexError, "the ufunc has no such loop");
        return -1;
    }
    p->loop = ufunc->functions[place];
    p->data = ufunc->data == NULL ? NULL : ufunc->data[place];
    const char *types = ufunc->types + place * ufunc->nargs;
    if (!is_running) use_plain_loop(ufunc->name, types[0], types[ufunc->nargs - 1], p);
    return 0;
}

/* A row: loop, place in the table, number of operands, of outer axes and of dimensions, and where operands lie. */
enum { LOOP, PLACE, COUNT, RANK, DIMENSIONS, OFFSETS, COLUMNS = OFFSETS + MAX_OPERANDS };

static void fill(Program *self, const Instruction *known, const Py_buffer *table, const Py_buffer *rows) {
    const int64_t *row = rows->buf, *end = row + rows->len / (Py_ssize_t)sizeof *row;
    char *memory = self->memory.buf;
    for (Instruction *p = self->instructions + self->count; row < end; p++, row += COLUMNS) {
        *p = known[row[LOOP]];
        p->sizes = (const npy_intp *)table->buf + row[PLACE];
        p->count = row[COUNT], p->rank = row[RANK], p->dimensions = row[DIMENSIONS];
        for (int j = 0; j < MAX_OPERANDS; j++) p->operands[j] = memory + row[OFFSETS + j];
    }
}

static Instruction *find_loops(PyObject *loops) {
    Instruction *known = PyMem_Calloc(PyList_Size(loops) + 1, sizeof *known);
    if (known == NULL) PyErr_NoMemory();
    for (Py_ssize_t i = 0; known != NULL && i < PyList_Size(loops); i++)
        if (find_loop(PyList_GetItem(loops, i), known + i) < 0) {
            PyMem_Free(known);
            known = NULL;
        }
    return known;
}

/* Room for so many instructions behind those that are there. */
static int make_room(Program *self, Py_ssize_t more) {
    Instruction *moved = PyMem_Realloc(self->instructions, (self->count + more + 1) * sizeof *moved);
    if (moved == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->instructions = moved;
    return 0;
}

static PyObject *program_add(Program *self, PyObject *args) {
    PyObject *numbers, *loops;
    Py_buffer table = {0}, rows = {0};
    Instruction *known = NULL;
    int failed = 1;
    if (!PyArg_ParseTuple(args, "OO!y*:add", &numbers, &PyList_Type, &loops, &rows)) return NULL;
    Py_ssize_t more = rows.len / (Py_ssize_t)(COLUMNS * sizeof(int64_t));
    /* The array is kept: its memory does not move when the buffer is given back. */
    if (PyObject_GetBuffer(numbers, &table, PyBUF_C_CONTIGUOUS) == 0 && (known = find_loops(loops)) != NULL &&
        make_room(self, more) == 0 && PyList_Append(self->kept, numbers) == 0 &&
        PyList_Append(self->kept, loops) == 0) {
        fill(self, known, &table, &rows);
        self->count += more;
        failed = 0;
    }
    PyMem_Free(known);
    if (table.obj != NULL) PyBuffer_Release(&table);
    PyBuffer_Release(&rows);
    return failed ? NULL : Py_NewRef(Py_None);
}

static Program *program_alloc(PyTypeObject *type) {
    /* The stable ABI hides the fields of a type. */
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Program *self = (Program *)allocate(type, 0);
    if (self != NULL && (self->kept = PyList_New(0)) == NULL) Py_CLEAR(self);
    return self;
}

static PyObject *program_only(Program *self, PyObject *chosen) {
    Py_buffer buffer;
    if (PyObject_GetBuffer(chosen, &buffer, PyBUF_C_CONTIGUOUS) < 0) return NULL;
    const int32_t *index = buffer.buf;
    Py_ssize_t count = buffer.len / (Py_ssize_t)sizeof *index;
    Program *made = program_alloc(Py_TYPE((PyObject *)self));
    int failed = made == NULL || PyList_Append(made->kept, (PyObject *)self) < 0 || make_room(made, count) < 0;
    for (; !failed && made->count < count; made->count++) {
        int32_t place = index[made->count];
        if (place < 0 || place >= self->count) {
            PyErr_SetString(PyExc_IndexError, "there are not so many instructions");
            failed = 1;
            break;
        }
        made->instructions[made->count] = self->instructions[place];
    }
    PyBuffer_Release(&buffer);
    if (failed) Py_CLEAR(made);
    return (PyObject *)made;
}

static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(keywords)) {
    PyObject *memory;
    if (!PyArg_ParseTuple(args, "O:Program", &memory)) return NULL;
    Program *self = program_alloc(type);
    if (self != NULL && PyObject_GetBuffer(memory, &self->memory, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void program_dealloc(Program *self) {
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    if (self->memory.obj != NULL) PyBuffer_Release(&self->memory);
    PyMem_Free(self->instructions);
    Py_XDECREF(self->kept);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* -- looking at what was computed --------------------------------------------------------------------------------- */

/* survey(memory, slots, offsets, layouts, looks, found): see engine/executors/numpy_program.py. */
static PyObject *survey(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer memory, slots, offsets, layouts, looks, found;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*w*:survey", &memory, &slots, &offsets, &layouts, &looks, &found))
        return NULL;
    const npy_intp *slot = slots.buf, *end = slot + slots.len / (Py_ssize_t)sizeof *slot;
    const int64_t *offset = offsets.buf, *layout = layouts.buf, *look = looks.buf;
    double *rows = found.buf;
    Py_BEGIN_ALLOW_THREADS
    for (; slot < end; slot++)
        look_at((const char *)memory.buf + offset[*slot], look + layout[*slot] * LOOK_COLUMNS,
                rows + *slot * SURVEY_COLUMNS);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&memory);
    PyBuffer_Release(&slots);
    PyBuffer_Release(&offsets);
    PyBuffer_Release(&layouts);
    PyBuffer_Release(&looks);
    PyBuffer_Release(&found);
    Py_RETURN_NONE;
}

/* -- what depends on what ----------------------------------------------------------------------------------------- */

/* What stands in a row of a step: engine/executors/step_table.py names it. */
enum { FIRST, INSTRUCTIONS, CALLED, INPUTS, OUTPUTS, END, STEP_COLUMNS };

/* spread(order, steps, links, hit, marked): see engine/executors/numpy_program.py. */
static PyObject *spread(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer order, steps, links, hit, marked;
    if (!PyArg_ParseTuple(args, "y*y*y*w*w*:spread", &order, &steps, &links, &hit, &marked)) return NULL;
    const int32_t *places = order.buf, *rows = steps.buf, *slots = links.buf;
    uint8_t *is_hit = hit.buf, *is_marked = marked.buf;
    for (Py_ssize_t i = 0; i < hit.len; i++) {
        const int32_t *row = rows + (npy_intp)places[i] * STEP_COLUMNS;
        for (int32_t j = row[INPUTS]; j < row[OUTPUTS]; j++) is_hit[i] |= is_marked[slots[j]];
        for (int32_t j = row[OUTPUTS]; is_hit[i] && j < row[END]; j++) is_marked[slots[j]] = 1;
    }
    PyBuffer_Release(&order);
    PyBuffer_Release(&steps);
    PyBuffer_Release(&links);
    PyBuffer_Release(&hit);
    PyBuffer_Release(&marked);
    Py_RETURN_NONE;
}

static PyMethodDef module_methods[] = {
    {"survey", survey, METH_VARARGS, "survey(memory, slots, offsets, layouts, looks, found): what numbers are like."},
    {"spread", spread, METH_VARARGS, "spread(order, steps, links, hit, marked): which steps depend on marked slots."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef program_methods[] = {
    {"add", (PyCFunction)program_add, METH_VARARGS, "add(table, loops, rows): more instructions."},
    {"only", (PyCFunction)program_only, METH_O, "only(places): the program of some instructions (int32)."},
    {"run", (PyCFunction)program_run, METH_NOARGS, "run(): carries out all instructions."},
    {"run_tiles", (PyCFunction)program_run_tiles, METH_VARARGS, "run_tiles(first, end, pitches, tile, last, chunk, lane)."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot program_slots[] = {
    {Py_tp_doc, "Program(memory): instructions over an arena; see engine/executors/arena.py."},
    {Py_tp_new, program_new},
    {Py_tp_dealloc, program_dealloc},
    {Py_tp_methods, program_methods},
    {0, NULL},
};

static PyType_Spec program_spec = {"gradwire.engine.executors._arena.Program", sizeof(Program), 0, Py_TPFLAGS_DEFAULT, program_slots};

/* Whether the processor has what a loop was compiled for. */
static int can_run(const char *name) {
#if HAS_PRODUCTS
    if (strncmp(name, "product_avx512f", 15) == 0) return __builtin_cpu_supports("avx512f");
    if (strncmp(name, "product_avx2", 12) == 0) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return 1;
#else
    (void)name;
    return 1;
#endif
}

static int fill_module(PyObject *module) {
    if (_import_array() < 0 || _import_umath() < 0) return -1;
    PyObject *type = PyType_FromSpec(&program_spec), *names = PyList_New(0);
    int failed = type == NULL || names == NULL;
    for (int i = 0; i < OWN_COUNT && !failed; i++) {
        if (!can_run(OWN_LOOPS[i].name)) continue;
        PyObject *name = PyUnicode_FromString(OWN_LOOPS[i].name);
        failed = name == NULL || PyList_Append(names, name) < 0;
        Py_XDECREF(name);
    }
    failed = failed || PyModule_AddObjectRef(module, "Program", type) < 0 ||
             PyModule_AddObjectRef(module, "OWN_LOOPS", names) < 0;
    Py_XDECREF(type);
    Py_XDECREF(names);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, fill_module}, {0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "gradwire.engine.executors._arena", "The interpreter of plans.", 0, module_methods, module_slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__arena(void) { return PyModuleDef_Init(&module); }
