package roll.core.role;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Notices of roles for users: added on any thread, delivered on the run's thread. */
public final class RoleNotices {
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  /** Adds a notice of a role for users. */
  void add(String line) {
    lines.add(line);
  }

  /** Delivers the lines added since the last call. */
  public void tell(Consumer<String> listener) {
    for (String line = lines.poll(); line != null; line = lines.poll()) {
      listener.accept(line);
    }
  }
}
