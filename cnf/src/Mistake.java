/** Ends a command with one line for the person who gave it. */
class Mistake extends Exception {
  private static final long serialVersionUID = 1;

  /** 2 where the command was wrong, 1 where what it did failed. */
  final int status;

  Mistake(int status, String line) {
    super(line);
    this.status = status;
  }
}
