package roll.cluster.services.codec;

/** Thrown when bytes are not a message of the expected types and version. */
public final class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a message of one line. */
  public MalformedMessageException(String why) {
    super(why);
  }

  /** Creates the exception with a message and a cause. */
  public MalformedMessageException(String why, Throwable cause) {
    super(why, cause);
  }
}
