package roll.huggingface;

/**
 * The maximum cost of matching a part of a regular expression by backtracking.
 *
 * @param ways number of possible matches, one if the rest cannot fail
 * @param steps number of steps for all of them
 * @param failing number of steps until failure, if the rest cannot fail
 */
record RegexEffort(double ways, double steps, double failing) {
  static final double ENDLESS = Double.POSITIVE_INFINITY;

  RegexEffort(double ways, double steps) {
    this(ways, steps, steps);
  }
}
