package roll.shell.http;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes resources in reverse order of opening. */
public final class CloseStack implements AutoCloseable {
  private final Deque<Runnable> closings = new ArrayDeque<>();

  /** Adds the action that closes the resource opened last. */
  public void add(Runnable closing) {
    closings.push(closing);
  }

  /** Closes everything once; an exception is thrown after all are closed. */
  @Override
  public void close() {
    try {
      if (!closings.isEmpty()) {
        closings.pop().run();
      }
    } finally {
      if (!closings.isEmpty()) {
        close();
      }
    }
  }
}
