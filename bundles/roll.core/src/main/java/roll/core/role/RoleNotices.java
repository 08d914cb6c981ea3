package roll.core.role;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Lines of roles for who watches the run: they come on any thread and are told on the run's. */
public final class RoleNotices {
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  /** Keeps a line. */
  void add(String line) {
    lines.add(line);
  }

  /** Tells the lines that came since the last call of this. */
  public void tell(Consumer<String> listener) {
    for (String line = lines.poll(); line != null; line = lines.poll()) {
      listener.accept(line);
    }
  }
}
