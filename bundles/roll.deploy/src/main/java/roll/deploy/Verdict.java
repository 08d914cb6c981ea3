package roll.deploy;

/**
 * What became of a jar.
 *
 * @param accepted whether it serves
 * @param line one line: what it offers, or why it is refused
 */
record Verdict(boolean accepted, String line) {
  static Verdict accepted(String line) {
    return new Verdict(true, line);
  }

  static Verdict refused(String line) {
    return new Verdict(false, line);
  }
}
