package roll.remote;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * There is no answer of use. The message is what the service did, to be said after its name:
 * "answered 503, 3 times". It never has anything in it that was sent or answered; {@link #told}
 * adds that.
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

  /** An answer with another status than 200. */
  static RequestFailure status(int status, String body, int tries, double pause) {
    String times = mayPass(status) ? times(tries) : "";
    return new RequestFailure("answered " + status, status, body, times, pause, null);
  }

  /** No whole answer in {@code timeout} seconds. */
  static RequestFailure silence(double timeout, int tries, double pause) {
    String seconds = String.valueOf(timeout).replaceFirst("\\.0$", "");
    String problem = "gave no answer within " + seconds + " s";
    return new RequestFailure(problem, 0, "", times(tries), pause, null);
  }

  /** No connection, or a broken one. */
  static RequestFailure unreachable(IOException cause, int tries, double pause) {
    String problem = "could not be asked (" + cause.getClass().getSimpleName() + ")";
    return new RequestFailure(problem, 0, "", times(tries), pause, cause);
  }

  /** An answer {@code body} with status 200 that is not what was {@code expected}. */
  public static RequestFailure unreadable(String expected, String body) {
    return new RequestFailure("answered no " + expected, 200, body, "", 0, null);
  }

  private static String times(int tries) {
    return tries > 1 ? ", " + tries + " times" : "";
  }

  /** Status of the last answer; 0 where there was none. */
  public int status() {
    return status;
  }

  /** What the last answer says, whole; empty where there was none. It may repeat what was sent. */
  public String body() {
    return body;
  }

  /** {@code ", 3 times"} where it was tried as often; empty where once. */
  public String times() {
    return times;
  }

  /** The message with {@code said}, cut and in one line, as the reason; as it is if blank. */
  public String told(String said) {
    String line = said.strip().replaceAll("\\s+", " ");
    String shown = line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "…" : line;
    return problem + (shown.isEmpty() ? "" : ": " + shown) + times;
  }

  /** Seconds before it is worth another try. */
  double pause() {
    return pause;
  }

  /** Whether it may go away by itself. */
  boolean mayPass() {
    return mayPass(status);
  }

  private static boolean mayPass(int status) {
    return status == 0 || status == 408 || status == 429 || status >= 500;
  }
}
