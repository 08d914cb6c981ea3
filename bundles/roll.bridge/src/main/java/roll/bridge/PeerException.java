package roll.bridge;

import java.util.regex.Pattern;

/**
 * A request was not answered: the peer has ended, hangs or wrote what is no answer, or it refused
 * this one request. Its message is one line.
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

  /** The peer answers nothing any more, because of {@code message}. */
  public static PeerException ended(String message) {
    return new PeerException(message, false, false);
  }

  /** The peer answers on, but refused a request with {@code message}. */
  public static PeerException refused(String message) {
    return new PeerException(message, true, false);
  }

  /** The peer ended because of {@code message}, before it came to this request. */
  static PeerException beside(String message) {
    return new PeerException(message, false, true);
  }

  /** Whether the peer had not come to the request when it ended, as one that answers in order. */
  public boolean beside() {
    return beside;
  }

  /** Whether the peer refused the request, and lives. */
  public boolean refused() {
    return refused;
  }

  /** Its message alone: it is told to users, to whom a class of Java says nothing. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // the class would stand before the message
  public String toString() {
    return String.valueOf(getMessage());
  }

  /** {@code text} without line ends and control characters, and cut after 1,000 characters. */
  static String oneLine(String text) {
    String line = CONTROL.matcher(text).replaceAll(" ").strip();
    return line.length() > MOST ? line.substring(0, MOST) + " …" : line;
  }
}
