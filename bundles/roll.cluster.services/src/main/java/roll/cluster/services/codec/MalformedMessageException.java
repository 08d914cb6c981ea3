package roll.cluster.services.codec;

/**
 * Bytes that are no message of the expected kind and version: the only way in which reading fails.
 */
public final class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code why} is one line. */
  public MalformedMessageException(String why) {
    super(why);
  }

  /** The same, because of {@code cause}. */
  public MalformedMessageException(String why, Throwable cause) {
    super(why, cause);
  }
}
