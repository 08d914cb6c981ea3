package roll.template.jinja.value;

/** Python's {@code None}. */
public enum None {
  NONE
}
