package roll.bridge;

import java.util.regex.Pattern;

/**
 * A request failed: the peer has ended, hangs, or violated the protocol; or it refused this request
 * only. The message is one line.
 */
public final class PeerException extends IllegalStateException {
  private static final long serialVersionUID = 1L;
  private static final int MOST = 1000;
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]+");

  private final boolean refused;
  private final boolean beside;

  private PeerException(String message, boolean refused, boolean beside) {
    super(oneLine(message));
    this.refused = refused;
    this.beside = beside;
  }

  /** The peer has ended because of {@code message}. */
  public static PeerException ended(String message) {
    return new PeerException(message, false, false);
  }

  /** The peer refused a request with {@code message}, and continues. */
  public static PeerException refused(String message) {
    return new PeerException(message, true, false);
  }

  /** The peer ended because of {@code message}, before it processed this request. */
  static PeerException beside(String message) {
    return new PeerException(message, false, true);
  }

  /** Whether the peer, if it answers in order, ended before it processed the request. */
  public boolean beside() {
    return beside;
  }

  /** Whether the peer refused the request and continues. */
  public boolean refused() {
    return refused;
  }

  /** Returns the message without the class name, since it is shown to users. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // no class name before the message
  public String toString() {
    return String.valueOf(getMessage());
  }

  /**
   * Returns {@code text} without line breaks and control characters, truncated to 1,000 characters.
   */
  static String oneLine(String text) {
    String line = CONTROL.matcher(text).replaceAll(" ").strip();
    return line.length() > MOST ? line.substring(0, MOST) + " …" : line;
  }
}
