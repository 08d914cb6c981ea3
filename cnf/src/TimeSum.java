/**
 * What several test classes took.
 *
 * @param name of their ring or module
 * @param all with what their JVMs took outside of classes
 * @param rest that alone
 */
record TimeSum(String name, int classes, Spent all, Spent rest) {
  static final TimeSum NOTHING = new TimeSum("all", 0, Spent.NOTHING, Spent.NOTHING);

  TimeSum plus(TimeSum other) {
    return new TimeSum(name, classes + other.classes, all.plus(other.all), rest.plus(other.rest));
  }
}
