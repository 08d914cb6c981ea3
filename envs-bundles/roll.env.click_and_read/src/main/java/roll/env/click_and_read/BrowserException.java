package roll.env.click_and_read;

/** The browser did not do what it should: the episode that needed it fails. */
final class BrowserException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrowserException(String message) {
    super("browser: " + message);
  }

  BrowserException(String message, Throwable cause) {
    super("browser: " + message, cause);
  }
}
