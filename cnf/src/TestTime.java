/**
 * What a test class took, or a JVM outside of its classes.
 *
 * @param name of the class
 * @param ring {@code unit}, or the tag of a slower one; {@code -} where only JUnit's report is left
 * @param module the folder whose tests it is among
 * @param startedProcess whether a process was started meanwhile
 */
record TestTime(String name, String ring, String module, Spent spent, boolean startedProcess) {
  static final String UNIT = "unit";
  static final String UNKNOWN = "-";
}
