package roll.browser;

/** The browser did not do what it should: the episode that needed it fails. */
public final class BrowserException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The browser failed as {@code message} says. */
  public BrowserException(String message) {
    super("browser: " + message);
  }

  /** The browser failed as {@code message} says, because of {@code cause}. */
  public BrowserException(String message, Throwable cause) {
    super("browser: " + message, cause);
  }
}
