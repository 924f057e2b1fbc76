/*
 * Generates a block as fast as one thread of a machine reasonably can: the near limit of the benchmark.
 * Both tickets files with their SHA-256, by libcrypto; nothing is verified. Its blocks conform, but their
 * bytes are not those of gen-block.
 *
 * Usage: limit outcomes.txt output-folder
 *
 * The first line of outcomes.txt is `rows` or `collect`. Every other line is one kind of ticket: how
 * many there are, prize in cents, combination or `-`, and EXTRA stages or chosen symbols. The symbols,
 * the shape of the grids, and the policy are those of the two shipped games.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/evp.h>

enum {
  BUFFER_BYTES = 1 << 20,
  LONGEST_RECORD = 1024,
  PREFIX_BYTES = 128,
  MOST_OUTCOMES = 65536,
  GRID_ROWS = 3,
};

static void fail(const char *what) {
  fprintf(stderr, "limit: %s: %s\n", what, errno ? strerror(errno) : "wrong input");
  exit(1);
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory == NULL) fail("memory");
  return memory;
}

/* ---- Random numbers: xoshiro256++, and Lemire's exact bounded draw. ---- */

static uint64_t state[4] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 42};

static inline uint64_t rotate(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

static inline uint64_t next_word(void) {
  uint64_t result = rotate(state[0] + state[3], 23) + state[0];
  uint64_t shifted = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = rotate(state[3], 45);
  return result;
}

static inline uint32_t uniform(uint32_t bound) {
  uint64_t product = (next_word() >> 32) * bound;
  if ((uint32_t)product < bound) {
    uint32_t threshold = -bound % bound;
    while ((uint32_t)product < threshold) product = (next_word() >> 32) * bound;
  }
  return product >> 32;
}

/* ---- Files: one buffer, hashed and written when it is full. ---- */

struct output {
  int file;
  EVP_MD_CTX *hash;
  char *start;
  char *at;
};

static void output_open(struct output *out, const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  out->file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (out->file < 0) fail(path);
  out->hash = EVP_MD_CTX_new();
  if (out->hash == NULL || !EVP_DigestInit_ex(out->hash, EVP_sha256(), NULL)) fail("SHA-256");
  out->start = out->at = allocate(BUFFER_BYTES);
}

static void output_flush(struct output *out) {
  EVP_DigestUpdate(out->hash, out->start, out->at - out->start);
  for (const char *from = out->start; from < out->at;) {
    ssize_t written = write(out->file, from, out->at - from);
    if (written < 0) fail("write");
    from += written;
  }
  out->at = out->start;
}

static inline void output_reserve(struct output *out) {
  if (out->at > out->start + BUFFER_BYTES - LONGEST_RECORD) output_flush(out);
}

static void output_close(struct output *out, const char *name) {
  unsigned char digest[32];
  output_flush(out);
  if (close(out->file) != 0) fail("close");
  EVP_DigestFinal_ex(out->hash, digest, NULL);
  EVP_MD_CTX_free(out->hash);
  for (int i = 0; i < 32; i += 1) printf("%02x", digest[i]);
  printf("  %s\n", name);
  free(out->start);
}

static inline void put(struct output *out, const char *text, size_t length) {
  memcpy(out->at, text, length);
  out->at += length;
}

/* ---- Outcomes: what is decided about a ticket before its symbols are drawn. ---- */

struct outcome {
  uint32_t count;
  uint32_t prize_cents;
  char combination[40];
  int feature;
  /* Constant text of the record between the ticket's number and its grids. */
  char json[PREFIX_BYTES], csv[PREFIX_BYTES];
  int json_length, csv_length;
};

static struct outcome *outcomes;
static int outcome_count;

/* Returns whether the mechanic is `rows`. */
static int read_outcomes(const char *path) {
  char mechanic[16];
  FILE *file = fopen(path, "r");
  if (file == NULL) fail(path);
  if (fscanf(file, "%15s", mechanic) != 1) fail(path);
  outcomes = allocate(MOST_OUTCOMES * sizeof *outcomes);
  for (struct outcome *o = outcomes; outcome_count < MOST_OUTCOMES; o += 1, outcome_count += 1) {
    int read = fscanf(file, "%u %u %39s %d", &o->count, &o->prize_cents, o->combination, &o->feature);
    if (read != 4) break;
    if (strcmp(o->combination, "-") == 0) o->combination[0] = '\0';
    o->json_length =
        snprintf(o->json, PREFIX_BYTES, ",\"prize_cents\":%u,\"combination\":\"%s\",\"grids\":[[",
                 o->prize_cents, o->combination);
    o->csv_length = snprintf(o->csv, PREFIX_BYTES, ",%u,%s,", o->prize_cents, o->combination);
  }
  fclose(file);
  return strcmp(mechanic, "rows") == 0;
}

/* The outcome of every ticket, in a random order. */
static uint16_t *shuffled_order(uint32_t *tickets) {
  uint32_t total = 0;
  for (int i = 0; i < outcome_count; i += 1) total += outcomes[i].count;
  uint16_t *order = allocate(total * sizeof *order);
  uint16_t *at = order;
  for (int i = 0; i < outcome_count; i += 1)
    for (uint32_t n = outcomes[i].count; n > 0; n -= 1) *at++ = i;
  for (uint32_t last = total - 1; last > 0; last -= 1) {
    uint32_t other = uniform(last + 1);
    uint16_t kept = order[last];
    order[last] = order[other];
    order[other] = kept;
  }
  *tickets = total;
  return order;
}

/* ---- Ticket numbers: a decimal counter that counts in text. ---- */

struct counter {
  char digits[8];
  int first;
};

static inline void counter_step(struct counter *counter) {
  int at = 7;
  while (counter->digits[at] == '9') counter->digits[at--] = '0';
  counter->digits[at] += 1;
  if (at < counter->first) counter->first = at;
}

/* ---- Rows of five letters (Eldorado). ---- */

enum { ROW_LETTERS = 5, LETTERS = 6, ROW_CODES = 7776, LINES = 11, EXTRA_LETTER = 5 };

static const char ROWS_SYMBOLS[LETTERS + 1] = "PSVBDE";

/* All rows of one kind: the line that they win (0 for none) and their number of EXTRA symbols. */
struct row_kind {
  uint64_t *rows;
  uint32_t count;
};

static struct row_kind row_kinds[LINES][ROW_LETTERS + 1];

/* Line 2 s + 1 is five symbols s, line 2 s + 2 is four. */
static inline int line_count(int line) {
  return line == 0 ? 0 : line % 2 == 1 ? 5 : 4;
}

static void add_row(int code) {
  int counts[LETTERS] = {0};
  uint64_t letters = 0;
  for (int cell = 0; cell < ROW_LETTERS; cell += 1, code /= LETTERS) {
    counts[code % LETTERS] += 1;
    letters |= (uint64_t)ROWS_SYMBOLS[code % LETTERS] << (8 * cell);
  }
  int line = 0;
  for (int symbol = 0; symbol < EXTRA_LETTER; symbol += 1)
    if (counts[symbol] >= 4) line = 2 * symbol + 6 - counts[symbol];
  struct row_kind *kind = &row_kinds[line][counts[EXTRA_LETTER]];
  if (kind->rows == NULL) kind->rows = allocate(ROW_CODES * sizeof *kind->rows);
  kind->rows[kind->count++] = letters;
}

static inline uint64_t draw_row(int line, int extra) {
  const struct row_kind *kind = &row_kinds[line][extra];
  return kind->rows[uniform(kind->count)];
}

/* `"PSVVV",` is exactly eight bytes. */
static inline void put_row(struct output *json, struct output *csv, uint64_t letters) {
  uint64_t quoted = '"' | letters << 8 | (uint64_t)'"' << 48 | (uint64_t)',' << 56;
  uint64_t ended = letters | (uint64_t)'/' << 40;
  memcpy(json->at, &quoted, 8);
  json->at += 8;
  memcpy(csv->at, &ended, 8);
  csv->at += 6;
}

/* The separators behind the last row of a grid take the place of the one between rows. */
static inline void end_grid(struct output *json, struct output *csv, int is_last) {
  json->at -= 1;
  put(json, is_last ? "]]}\n" : "],[", is_last ? 4 : 3);
  csv->at[-1] = is_last ? '\n' : '|';
}

struct vectors {
  int count;
  int extra[5][4];
};

static const struct vectors VECTORS[4] = {
    {1, {{0}}},
    {1, {{1, 0}}},
    {2, {{1, 1, 0}, {2, 0, 0}}},
    {5, {{1, 1, 1, 0}, {1, 2, 0, 0}, {2, 0, 1, 0}, {2, 1, 0, 0}, {3, 0, 0, 0}}},
};

/* Gives the winning lines of a combination to rows at random, so that the EXTRA symbols have room. */
static void place_lines(const char *combination, const int *extra, int grids, int *lines) {
  for (;;) {
    memset(lines, 0, sizeof *lines * GRID_ROWS * grids);
    for (const char *text = combination; *text != '\0'; text += text[2] == '+' ? 3 : 2) {
      int row = uniform(GRID_ROWS * grids);
      while (lines[row] != 0) row = uniform(GRID_ROWS * grids);
      lines[row] = 2 * (int)(strchr(ROWS_SYMBOLS, text[1]) - ROWS_SYMBOLS) + 6 - (text[0] - '0');
    }
    int fits = 1;
    for (int grid = 0; grid < grids; grid += 1) {
      int room = GRID_ROWS * ROW_LETTERS;
      for (int row = 0; row < GRID_ROWS; row += 1) room -= line_count(lines[GRID_ROWS * grid + row]);
      fits &= room >= extra[grid];
    }
    if (fits) return;
  }
}

/* Draws the cells of a grid's EXTRA symbols, and says how many each row has. */
static void draw_extra(int count, const int *lines, int *extra_of_row) {
  uint32_t taken = 0;
  memset(extra_of_row, 0, sizeof *extra_of_row * GRID_ROWS);
  while (count > 0) {
    uint32_t cell = uniform(GRID_ROWS * ROW_LETTERS);
    int row = cell / ROW_LETTERS;
    int is_free = (int)(cell % ROW_LETTERS) < ROW_LETTERS - line_count(lines[row]);
    if (!is_free || taken >> cell & 1) continue;
    taken |= 1u << cell;
    extra_of_row[row] += 1;
    count -= 1;
  }
}

static void rows_grids(struct output *json, struct output *csv, const struct outcome *outcome) {
  int lines[GRID_ROWS * 4], extra_of_row[GRID_ROWS];
  int stages = outcome->feature;
  const int *extra = VECTORS[stages].extra[uniform(VECTORS[stages].count)];
  place_lines(outcome->combination, extra, stages + 1, lines);
  for (int grid = 0; grid <= stages; grid += 1) {
    const int *grid_lines = lines + GRID_ROWS * grid;
    draw_extra(extra[grid], grid_lines, extra_of_row);
    for (int row = 0; row < GRID_ROWS; row += 1)
      put_row(json, csv, draw_row(grid_lines[row], extra_of_row[row]));
    end_grid(json, csv, grid == stages);
  }
}

/* Most tickets: one grid of three losing rows. */
static inline void plain_rows_grid(struct output *json, struct output *csv) {
  for (int row = 0; row < GRID_ROWS; row += 1) put_row(json, csv, draw_row(0, 0));
  end_grid(json, csv, 1);
}

/* ---- Grids of eighteen letters (Lagon Paradis). ---- */

enum { COLUMNS = 6, CELLS = 18, CHOICES = 3, FILLINGS = 46656, UNCHOSEN_CAP = 3 };

static const char COLLECT_SYMBOLS[8] = "TPHCENV";

/* For each choice all rows of the six other symbols. */
static uint64_t *fillings[CHOICES];

/* All sets of cells, by their number of cells. */
static uint32_t *cell_sets[CELLS + 1];
static uint32_t cell_set_counts[CELLS + 1];

/* For six bits the six bytes that they stand for. */
static uint64_t byte_masks[1 << COLUMNS];

static void prepare_collect(void) {
  for (int choice = 0; choice < CHOICES; choice += 1) {
    fillings[choice] = allocate(FILLINGS * sizeof **fillings);
    for (int code = 0; code < FILLINGS; code += 1) {
      uint64_t letters = 0;
      for (int cell = 0, rest = code; cell < COLUMNS; cell += 1, rest /= 6) {
        int symbol = rest % 6;
        letters |= (uint64_t)COLLECT_SYMBOLS[symbol + (symbol >= choice)] << (8 * cell);
      }
      fillings[choice][code] = letters;
    }
  }
  for (int bits = 0; bits < 1 << COLUMNS; bits += 1)
    for (int cell = 0; cell < COLUMNS; cell += 1)
      if (bits >> cell & 1) byte_masks[bits] |= (uint64_t)0xff << (8 * cell);
  for (int size = 0; size <= CELLS; size += 1)
    cell_sets[size] = allocate((1 << CELLS) / 4 * sizeof **cell_sets);
  for (uint32_t set = 0; set < 1 << CELLS; set += 1) {
    int size = __builtin_popcount(set);
    cell_sets[size][cell_set_counts[size]++] = set;
  }
}

static inline uint64_t repeat(int symbol) {
  return (uint64_t)COLLECT_SYMBOLS[symbol] * 0x010101010101;
}

/* How many of a row's six letters are a symbol. All letters are below 128, so no byte carries over. */
static inline int count_in_row(uint64_t letters, int symbol) {
  const uint64_t sevens = 0x7f7f7f7f7f7f, tops = 0x808080808080;
  return __builtin_popcountll(~((letters ^ repeat(symbol)) + sevens) & tops);
}

static inline int keeps_caps(const uint64_t *rows, int choice) {
  for (int symbol = 0; symbol < CHOICES; symbol += 1) {
    if (symbol == choice) continue;
    int count = 0;
    for (int row = 0; row < GRID_ROWS; row += 1) count += count_in_row(rows[row], symbol);
    if (count > UNCHOSEN_CAP) return 0;
  }
  return 1;
}

static inline void draw_collect_grid(int choice, int chosen, uint64_t *rows) {
  uint32_t set = cell_sets[chosen][uniform(cell_set_counts[chosen])];
  do {
    for (int row = 0; row < GRID_ROWS; row += 1) {
      uint64_t mask = byte_masks[set >> (COLUMNS * row) & 63];
      rows[row] = (fillings[choice][uniform(FILLINGS)] & ~mask) | (repeat(choice) & mask);
    }
  } while (!keeps_caps(rows, choice));
}

static void collect_grids(struct output *json, struct output *csv, const struct outcome *outcome) {
  uint64_t rows[GRID_ROWS];
  for (int choice = 0; choice < CHOICES; choice += 1) {
    draw_collect_grid(choice, outcome->feature, rows);
    for (int row = 0; row < GRID_ROWS; row += 1) {
      uint64_t quoted = rows[row] | (uint64_t)'"' << 48 | (uint64_t)',' << 56;
      uint64_t ended = rows[row] | (uint64_t)'/' << 48;
      *json->at = '"';
      memcpy(json->at + 1, &quoted, 8);
      json->at += 9;
      memcpy(csv->at, &ended, 8);
      csv->at += 7;
    }
    end_grid(json, csv, choice == CHOICES - 1);
  }
}

/* ---- The block. ---- */

static inline void put_record_start(struct output *json, struct output *csv, const struct outcome *outcome,
                                    const struct counter *number) {
  const char *digits = number->digits + number->first;
  int length = 8 - number->first;
  output_reserve(json);
  output_reserve(csv);
  put(json, "{\"ticket\":", 10);
  memcpy(json->at, digits, 8);
  json->at += length;
  memcpy(csv->at, digits, 8);
  csv->at += length;
  /* Copies of a fixed length are fastest; what is too much is overwritten. */
  memcpy(json->at, outcome->json, PREFIX_BYTES);
  json->at += outcome->json_length;
  memcpy(csv->at, outcome->csv, PREFIX_BYTES);
  csv->at += outcome->csv_length;
}

int main(int argument_count, char **arguments) {
  if (argument_count != 3) fail("usage: limit outcomes.txt output-folder");
  int is_rows = read_outcomes(arguments[1]);
  if (is_rows)
    for (int code = 0; code < ROW_CODES; code += 1) add_row(code);
  else
    prepare_collect();
  uint32_t tickets;
  uint16_t *order = shuffled_order(&tickets);
  struct output json, csv;
  output_open(&json, arguments[2], "tickets.ndjson");
  output_open(&csv, arguments[2], "tickets.csv");
  put(&csv, "ticket,prize_cents,combination,grids\n", 37);
  /* `digits` is read eight bytes at a time from its first digit on, so it has room behind it. */
  struct {
    struct counter counter;
    char room[8];
  } number = {{"00000000", 7}, ""};
  for (uint32_t ticket = 0; ticket < tickets; ticket += 1) {
    const struct outcome *outcome = &outcomes[order[ticket]];
    counter_step(&number.counter);
    put_record_start(&json, &csv, outcome, &number.counter);
    if (!is_rows)
      collect_grids(&json, &csv, outcome);
    else if (outcome->feature == 0 && outcome->prize_cents == 0)
      plain_rows_grid(&json, &csv);
    else
      rows_grids(&json, &csv, outcome);
  }
  output_close(&json, "tickets.ndjson");
  output_close(&csv, "tickets.csv");
  free(order);
  return 0;
}
