package roll.bridge;

import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;

/** Messages for connection failures, for which Java's exceptions have none. */
public final class ConnectionFailures {
  private ConnectionFailures() {}

  /** Returns the reason of the connection failure {@code failure}. */
  public static String why(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "there is no host of this name";
      }
    }
    return failure instanceof ConnectException && failure.getMessage() == null
        ? "nothing listens there"
        : String.valueOf(failure);
  }
}
