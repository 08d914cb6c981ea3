package roll.shell.http;

import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened one after the other, to be closed the other way round. */
public final class CloseStack implements AutoCloseable {
  private final Deque<Runnable> closings = new ArrayDeque<>();

  /** Remembers how the thing opened last is closed. */
  public void add(Runnable closing) {
    closings.push(closing);
  }

  /** Closes everything once; what one of them throws is thrown when all were. */
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
