/** Ends a command with one line for its user. */
class Mistake extends Exception {
  private static final long serialVersionUID = 1;

  /** Exit status: 2 for a wrong command, 1 for a failed one. */
  final int status;

  Mistake(int status, String line) {
    super(line);
    this.status = status;
  }
}
