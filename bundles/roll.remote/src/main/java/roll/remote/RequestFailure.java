package roll.remote;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request to an HTTP API failed. The message continues the name of the service, such
 * as "answered 503, 3 times", without content of the request or answer, which {@link #told} adds.
 */
public final class RequestFailure extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int MOST_SHOWN = 300;

  private final String problem;
  private final int status;
  private final String body;
  private final String times;
  private final double pause;

  private RequestFailure(
      String problem,
      int status,
      String body,
      String times,
      double pause,
      @Nullable IOException cause) {
    super(problem + times, cause);
    this.problem = problem;
    this.status = status;
    this.body = body;
    this.times = times;
    this.pause = pause;
  }

  /** The answer has another status than 200. */
  static RequestFailure status(int status, String body, int tries, double pause) {
    String times = mayPass(status) ? times(tries) : "";
    return new RequestFailure("answered " + status, status, body, times, pause, null);
  }

  /** There is no complete answer within {@code timeout} seconds. */
  static RequestFailure silence(double timeout, int tries, double pause) {
    String seconds = String.valueOf(timeout).replaceFirst("\\.0$", "");
    String problem = "gave no answer within " + seconds + " s";
    return new RequestFailure(problem, 0, "", times(tries), pause, null);
  }

  /** Returns the failure of a connection. */
  static RequestFailure unreachable(IOException cause, int tries, double pause) {
    String problem = "could not be asked (" + cause.getClass().getSimpleName() + ")";
    return new RequestFailure(problem, 0, "", times(tries), pause, cause);
  }

  /** The answer {@code body} with status 200 is not the {@code expected} one. */
  public static RequestFailure unreadable(String expected, String body) {
    return new RequestFailure("answered no " + expected, 200, body, "", 0, null);
  }

  private static String times(int tries) {
    return tries > 1 ? ", " + tries + " times" : "";
  }

  /** Status of the last answer; 0 if there was none. */
  public int status() {
    return status;
  }

  /** Body of the last answer, or "" if there was none. It may contain the request. */
  public String body() {
    return body;
  }

  /** Number of attempts, such as {@code ", 3 times"}; empty for one. */
  public String times() {
    return times;
  }

  /**
   * Returns the message with the reason {@code said}, truncated and in one line, unless it is
   * blank.
   */
  public String told(String said) {
    String line = said.strip().replaceAll("\\s+", " ");
    String shown = line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "…" : line;
    return problem + (shown.isEmpty() ? "" : ": " + shown) + times;
  }

  /** Seconds until the next attempt. */
  double pause() {
    return pause;
  }

  /** Whether the failure may be temporary. */
  boolean mayPass() {
    return mayPass(status);
  }

  private static boolean mayPass(int status) {
    return status == 0 || status == 408 || status == 429 || status >= 500;
  }
}
