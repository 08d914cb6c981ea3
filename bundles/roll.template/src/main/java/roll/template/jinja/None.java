package roll.template.jinja;

/** Python's {@code None}. */
enum None {
  NONE
}
