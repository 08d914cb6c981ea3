package roll.deploy;

import roll.text.OneLine;

/**
 * What became of a jar.
 *
 * @param accepted whether it serves
 * @param lacks whether it is refused for want of something that may come
 * @param line one line: what it offers, or why it is refused
 */
record Verdict(boolean accepted, boolean lacks, String line) {
  static Verdict accepted(String line) {
    return new Verdict(true, false, OneLine.of(line));
  }

  static Verdict refused(String line) {
    return new Verdict(false, false, OneLine.of(line));
  }

  /** Refused until something comes. */
  static Verdict lacking(String line) {
    return new Verdict(false, true, OneLine.of(line));
  }
}
