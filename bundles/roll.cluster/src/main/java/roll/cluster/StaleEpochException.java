package roll.cluster;

/** A message was refused because its sender did not know the present epoch; now it does. */
public final class StaleEpochException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code member} is in epoch {@code present}, and the message was of {@code sent}. */
  public StaleEpochException(Member member, long sent, long present) {
    super("node " + member + " is in epoch " + present + " and refused a message of " + sent);
  }
}
