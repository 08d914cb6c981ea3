/**
 * A check.
 *
 * @param name for lines, logs and arguments
 * @param seconds at most
 * @param alone whether no other check may run beside it
 * @param work what is run
 */
record CardCheck(String name, double seconds, boolean alone, Work work) {
  /** Runs programs and returns a figure, or what was found equal. */
  interface Work {
    String run(Programs programs) throws Exception;
  }
}
