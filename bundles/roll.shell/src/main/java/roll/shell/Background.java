package roll.shell;

import java.util.function.Supplier;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Job;
import org.jspecify.annotations.Nullable;

/** Commands that run beside the shell, as {@code train … &} does. */
final class Background {
  private Background() {}

  /** Whether the thread that asks runs such a command. */
  static boolean here() {
    Job job = Job.Utils.current();
    return job != null && job.status() == Job.Status.Background;
  }

  /**
   * What {@code command} gives; why it failed is printed, as Gogo shows the errors of those alone
   * for which it waits.
   */
  static <T extends @Nullable Object> T telling(CommandSession session, Supplier<T> command) {
    try {
      return command.get();
    } catch (RuntimeException e) {
      if (here()) {
        session.getConsole().println(e);
      }
      throw e;
    }
  }
}
