package roll.main;

/** Exit statuses of the roll process. */
final class ExitStatus {
  static final int OK = 0;
  static final int FAILED = 1;

  /** Exit status of a mistake in the user's input. */
  static final int USER = 2;

  static final int UNKNOWN_COMMAND = 127;

  /** 128 + SIGINT, as in shells. */
  static final int INTERRUPTED = 130;

  private ExitStatus() {}
}
