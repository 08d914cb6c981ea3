package roll.bridge;

import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;

/** Why a server was not reached, in words: Java's exceptions have none for the usual reasons. */
public final class ConnectionFailures {
  private ConnectionFailures() {}

  /** What {@code failure} of a request says. */
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
