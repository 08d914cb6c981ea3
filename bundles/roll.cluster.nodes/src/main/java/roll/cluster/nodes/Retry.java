package roll.cluster.nodes;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Repeats an action with pauses that double up to a maximum. */
final class Retry {
  static final long MIN_PAUSE_MILLIS = 500;
  private static final long MAX_PAUSE_MILLIS = 5_000;

  private Retry() {}

  /** An action that may fail temporarily. */
  interface Action<T> {
    T run() throws IOException, InterruptedException;
  }

  /** Runs {@code action} until it throws no {@link IOException}, which {@code failed} receives. */
  static <T extends @Nullable Object> T untilDone(Action<T> action, Consumer<IOException> failed)
      throws InterruptedException {
    for (long pause = MIN_PAUSE_MILLIS; ; pause = Math.min(MAX_PAUSE_MILLIS, 2 * pause)) {
      try {
        return action.run();
      } catch (IOException e) {
        failed.accept(e);
      }
      Thread.sleep(pause);
    }
  }
}
