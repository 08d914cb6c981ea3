package roll.http;

import java.util.Objects;

/** A request that is refused, by a status of HTTP and a line for people. */
public final class HttpRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /** A refusal. */
  public HttpRefusal(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** The status to answer with. */
  public int status() {
    return status;
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
