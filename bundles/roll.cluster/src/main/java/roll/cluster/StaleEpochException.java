package roll.cluster;

/** A message was rejected because its sender had an old epoch, which is now up to date. */
public final class StaleEpochException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code member} is in epoch {@code present}; the message was of epoch {@code sent}. */
  public StaleEpochException(Member member, long sent, long present) {
    super("node " + member + " is in epoch " + present + " and refused a message of " + sent);
  }
}
