/* GNU durations: a decimal number with an optional suffix s, m, h or d; "inf" is allowed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds, or -1 where the text is no duration. */
static double parse_duration(const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || isnan(value) || value < 0 || *text == '-') return -1;
  if (*end == '\0') return value;
  if (end[1] != '\0') return -1;
  switch (*end) {
    case 's': return value;
    case 'm': return value * 60;
    case 'h': return value * 3600;
    case 'd': return value * 86400;
    default: return -1;
  }
}
