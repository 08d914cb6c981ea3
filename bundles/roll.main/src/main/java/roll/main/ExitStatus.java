package roll.main;

/** Exit statuses. */
final class ExitStatus {
  static final int OK = 0;
  static final int FAILED = 1;

  /** The user has to change something. */
  static final int USER = 2;

  static final int UNKNOWN_COMMAND = 127;

  /** 128 + SIGINT, as shells have it. */
  static final int INTERRUPTED = 130;

  private ExitStatus() {}
}
