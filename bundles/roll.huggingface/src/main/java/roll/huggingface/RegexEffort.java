package roll.huggingface;

/**
 * What matching a part of a regular expression costs a backtracking matcher at most.
 *
 * @param ways in which it can end, one where what follows cannot fail
 * @param steps for all of them
 * @param failing steps until it has failed, where what follows cannot
 */
record RegexEffort(double ways, double steps, double failing) {
  static final double ENDLESS = Double.POSITIVE_INFINITY;

  RegexEffort(double ways, double steps) {
    this(ways, steps, steps);
  }
}
