package roll.browser;

/** A failure of the browser: the episode that uses it fails. */
public final class BrowserException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a message. */
  public BrowserException(String message) {
    super("browser: " + message);
  }

  /** Creates the exception with a message and a cause. */
  public BrowserException(String message, Throwable cause) {
    super("browser: " + message, cause);
  }
}
