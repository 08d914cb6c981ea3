package roll.http;

import java.util.Objects;

/** A refused request: an HTTP status and a message for people. */
public final class HttpRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /** Creates the refusal of an HTTP request. */
  public HttpRefusal(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** Returns the HTTP status of the refusal. */
  public int status() {
    return status;
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
