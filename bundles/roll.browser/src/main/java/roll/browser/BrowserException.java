package roll.browser;

/** A failure of the browser: the episode that uses it fails. */
public final class BrowserException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure with this message. */
  public BrowserException(String message) {
    super("browser: " + message);
  }

  /** A failure with this message and cause. */
  public BrowserException(String message, Throwable cause) {
    super("browser: " + message, cause);
  }
}
