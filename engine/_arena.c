/* The interpreter of plans: runs a list of instructions over the arena that holds all tensors of a graph.

   A graph is data: no edit compiles anything. An instruction calls one of NumPy's own inner loops, so that its results
   are NumPy's to the last bit, without the Python around the loop, which costs fifty times more than sixteen numbers.
   Memory belongs to NumPy arrays that Python hands over; engine/arena.py writes the instructions and keeps offsets
   inside of them, and nothing is checked again here. */
#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

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

typedef struct {
    PyObject_HEAD
    PyObject *kept;
    Py_buffer memory, table;
    Instruction *instructions;
    Py_ssize_t count;
} Program;

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
    static void cast_##FROM##_##TO(char **args, const npy_intp *sizes, const npy_intp *steps, void *Py_UNUSED(data)) { \
        const char *x = args[0];                                                                                       \
        char *out = args[1];                                                                                           \
        if (steps[0] == sizeof(FROM) && steps[1] == sizeof(TO)) {                                                      \
            for (npy_intp i = 0; i < sizes[0]; i++) ((TO *)out)[i] = (TO)((const FROM *)x)[i];                         \
            return;                                                                                                    \
        }                                                                                                              \
        for (npy_intp i = 0; i < sizes[0]; i++, x += steps[0], out += steps[1]) *(TO *)out = (TO) * (const FROM *)x;   \
    }
/* Adds elements that stand side by side to a sum, in lanes that are added up at the end: in another order than NumPy,
   twice as fast, and as exact where they are some thousands. */
enum { LANES = 32 };
#define SUM(T)                                                                                                         \
    static void sum_##T(char **args, const npy_intp *sizes, const npy_intp *Py_UNUSED(steps), void *Py_UNUSED(data)) { \
        const T *x = (const T *)args[1];                                                                               \
        T lanes[LANES] = {0};                                                                                          \
        npy_intp whole = sizes[0] - sizes[0] % LANES;                                                                  \
        for (npy_intp i = 0; i < whole; i += LANES)                                                                    \
            for (int j = 0; j < LANES; j++) lanes[j] += x[i + j];                                                      \
        for (npy_intp i = whole; i < sizes[0]; i++) lanes[i - whole] += x[i];                                          \
        for (int half = LANES / 2; half; half /= 2)                                                                    \
            for (int j = 0; j < half; j++) lanes[j] += lanes[j + half];                                                \
        *(T *)args[2] += lanes[0];                                                                                     \
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
    M(npy_int64, npy_float) M(npy_int64, npy_double)                                                                   \
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
    {"sum_float32", sum_npy_float}, {"sum_float64", sum_npy_double},
};
enum { OWN_COUNT = sizeof OWN_LOOPS / sizeof *OWN_LOOPS };

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

static PyObject *program_run_some(Program *self, PyObject *chosen) {
    Py_buffer buffer;
    if (PyObject_GetBuffer(chosen, &buffer, PyBUF_C_CONTIGUOUS) < 0) return NULL;
    const int32_t *index = buffer.buf, *end = index + buffer.len / (Py_ssize_t)sizeof *index;
    for (const int32_t *i = index; i < end; i++) {
        if (*i < 0 || *i >= self->count) {
            PyBuffer_Release(&buffer);
            PyErr_SetString(PyExc_IndexError, "there are not so many instructions");
            return NULL;
        }
    }
    Py_BEGIN_ALLOW_THREADS
    for (; index < end; index++) run_one(self->instructions + *index);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&buffer);
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

/* A loop is the name of one of ours, or a pair of a ufunc and the place of the loop among its loops. */
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
    int place;
    if (!PyArg_ParseTuple(item, "O!i", &PyUFunc_Type, &ufunc, &place)) return -1;
    if (place < 0 || place >= ufunc->ntypes || ufunc->functions[place] == NULL) {
        PyErr_SetString(PyExc_IndexError, "the ufunc has no such loop");
        return -1;
    }
    p->loop = ufunc->functions[place];
    p->data = ufunc->data == NULL ? NULL : ufunc->data[place];
    return 0;
}

/* A row: loop, place in the table, number of operands, of outer axes and of dimensions, and where operands lie. */
enum { LOOP, PLACE, COUNT, RANK, DIMENSIONS, OFFSETS, COLUMNS = OFFSETS + MAX_OPERANDS };

static int fill(Program *self, PyObject *loops, const int64_t *rows) {
    Instruction *known = PyMem_Calloc(PyList_GET_SIZE(loops) + 1, sizeof *known);
    if (known == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(loops); i++)
        if (find_loop(PyList_GET_ITEM(loops, i), known + i) < 0) {
            PyMem_Free(known);
            return -1;
        }
    char *memory = self->memory.buf;
    for (Py_ssize_t i = 0; i < self->count; i++, rows += COLUMNS) {
        Instruction *p = self->instructions + i;
        *p = known[rows[LOOP]];
        p->sizes = (const npy_intp *)self->table.buf + rows[PLACE];
        p->count = rows[COUNT], p->rank = rows[RANK], p->dimensions = rows[DIMENSIONS];
        for (int j = 0; j < MAX_OPERANDS; j++) p->operands[j] = memory + rows[OFFSETS + j];
    }
    PyMem_Free(known);
    return 0;
}

static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(keywords)) {
    PyObject *memory, *table, *loops, *rows;
    if (!PyArg_ParseTuple(args, "OOO!O:Program", &memory, &table, &PyList_Type, &loops, &rows)) return NULL;
    Program *self = (Program *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    Py_buffer buffer = {0};
    Py_INCREF(loops);
    self->kept = loops;
    if (PyObject_GetBuffer(memory, &self->memory, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0 ||
        PyObject_GetBuffer(table, &self->table, PyBUF_C_CONTIGUOUS) < 0 ||
        PyObject_GetBuffer(rows, &buffer, PyBUF_C_CONTIGUOUS) < 0)
        goto failed;
    self->count = buffer.len / (Py_ssize_t)(COLUMNS * sizeof(int64_t));
    self->instructions = PyMem_Calloc(self->count + 1, sizeof(Instruction));
    if (self->instructions == NULL) {
        PyErr_NoMemory();
        goto failed;
    }
    if (fill(self, loops, buffer.buf) < 0) goto failed;
    PyBuffer_Release(&buffer);
    return (PyObject *)self;
failed:
    if (buffer.obj != NULL) PyBuffer_Release(&buffer);
    Py_DECREF(self);
    return NULL;
}

static void program_dealloc(Program *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (self->memory.obj != NULL) PyBuffer_Release(&self->memory);
    if (self->table.obj != NULL) PyBuffer_Release(&self->table);
    PyMem_Free(self->instructions);
    Py_XDECREF(self->kept);
    type->tp_free(self);
    Py_DECREF(type);
}

/* -- looking at what was computed --------------------------------------------------------------------------------- */

/* What a span holds: the numbers that engine/survey.py names, in its order. */
enum { NAN_COUNT, INFINITE_COUNT, LEAST, LARGEST, LOW, HIGH, TOTAL, NORM, SURVEY_COLUMNS };

#define SURVEY(T)                                                                                                      \
    static void survey_##T(const T *x, npy_intp count, double *row) {                                                  \
        double nan = 0, infinite = 0, least = INFINITY, largest = 0, low = INFINITY, high = -INFINITY, total = 0;      \
        for (npy_intp i = 0; i < count; i++) {                                                                         \
            double number = (double)x[i], size = fabs(number);                                                         \
            if (size < INFINITY) {                                                                                     \
                low = number < low ? number : low, high = number > high ? number : high, total += number;              \
            } else if (number != number) {                                                                             \
                nan++;                                                                                                 \
                continue;                                                                                              \
            } else {                                                                                                   \
                infinite++;                                                                                            \
            }                                                                                                          \
            least = size < least ? size : least, largest = size > largest ? size : largest;                            \
        }                                                                                                              \
        double squares = 0, norm = largest;                                                                            \
        if (nan) {                                                                                                     \
            least = largest = norm = NAN;                                                                              \
        } else if (0 < largest && largest < INFINITY) {                                                                \
            for (npy_intp i = 0; i < count; i++) squares += ((double)x[i] / largest) * ((double)x[i] / largest);       \
            norm = largest * sqrt(squares);                                                                            \
        }                                                                                                              \
        if (low > high) low = high = 0;                                                                                \
        row[NAN_COUNT] = nan, row[INFINITE_COUNT] = infinite, row[LEAST] = least, row[LARGEST] = largest;              \
        row[LOW] = low, row[HIGH] = high, row[TOTAL] = total, row[NORM] = norm;                                        \
    }
SURVEY(npy_float)
SURVEY(npy_double)

/* survey(memory, spans, rows): for each span (offset, count, whether it is of doubles) one row of numbers. */
static PyObject *survey(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer memory = {0}, spans = {0}, rows = {0};
    if (!PyArg_ParseTuple(args, "y*y*w*:survey", &memory, &spans, &rows)) return NULL;
    Py_ssize_t count = spans.len / (Py_ssize_t)(3 * sizeof(int64_t));
    PyObject *result = NULL;
    if (rows.len < count * (Py_ssize_t)(SURVEY_COLUMNS * sizeof(double))) {
        PyErr_SetString(PyExc_ValueError, "there are too few rows");
    } else {
        const int64_t *span = spans.buf;
        double *row = rows.buf;
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = 0; i < count; i++, span += 3, row += SURVEY_COLUMNS) {
            const char *start = (const char *)memory.buf + span[0];
            if (span[2])
                survey_npy_double((const npy_double *)start, span[1], row);
            else
                survey_npy_float((const npy_float *)start, span[1], row);
        }
        Py_END_ALLOW_THREADS
        result = Py_NewRef(Py_None);
    }
    PyBuffer_Release(&memory);
    PyBuffer_Release(&spans);
    PyBuffer_Release(&rows);
    return result;
}

static PyMethodDef module_methods[] = {
    {"survey", survey, METH_VARARGS, "survey(memory, spans, rows): what the numbers of each span are like."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef program_methods[] = {
    {"run_some", (PyCFunction)program_run_some, METH_O, "run_some(places): the instructions at these places (int32)."},
    {"run_tiles", (PyCFunction)program_run_tiles, METH_VARARGS, "run_tiles(first, end, pitches, tile, last, chunk, lane)."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot program_slots[] = {
    {Py_tp_doc, "Program(memory, table, loops, rows): instructions over an arena; see engine/arena.py."},
    {Py_tp_new, program_new},
    {Py_tp_dealloc, program_dealloc},
    {Py_tp_methods, program_methods},
    {0, NULL},
};

static PyType_Spec program_spec = {"engine._arena.Program", sizeof(Program), 0, Py_TPFLAGS_DEFAULT, program_slots};

static int fill_module(PyObject *module) {
    if (_import_array() < 0 || _import_umath() < 0) return -1;
    PyObject *type = PyType_FromSpec(&program_spec), *names = PyList_New(0);
    int failed = type == NULL || names == NULL;
    for (int i = 0; i < OWN_COUNT && !failed; i++) {
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
    PyModuleDef_HEAD_INIT, "engine._arena", "The interpreter of plans.", 0, module_methods, module_slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__arena(void) { return PyModuleDef_Init(&module); }
