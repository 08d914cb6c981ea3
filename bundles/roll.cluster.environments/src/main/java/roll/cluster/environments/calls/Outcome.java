package roll.cluster.environments.calls;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * What came of a call into an environment. That the environment failed is an answer like any other:
 * it would fail anywhere; only other failures say something of the node.
 *
 * @param why it failed, in one line; empty if it did not
 * @param value null if it failed
 */
public record Outcome<T>(Kind kind, String why, @Nullable T value) {
  /** What can come. */
  public enum Kind {
    /** A value. */
    VALUE,
    /** The environment refused what it was given. */
    MISTAKE,
    /** It threw something else. */
    FAILURE
  }

  /** Of {@code call}. */
  public static <T> CompletableFuture<Outcome<T>> of(Supplier<T> call) {
    Outcome<T> outcome;
    try {
      outcome = new Outcome<>(Kind.VALUE, "", call.get());
    } catch (UserException e) {
      outcome = new Outcome<>(Kind.MISTAKE, String.valueOf(e.getMessage()), null);
    } catch (Throwable e) { // an environment may throw anything
      outcome = new Outcome<>(Kind.FAILURE, OneLine.of(e), null);
    }
    return CompletableFuture.completedFuture(outcome);
  }

  /**
   * The value.
   *
   * @throws UserException if the environment threw one
   * @throws EnvironmentFailedException if it threw anything else
   */
  public T get() {
    if (value != null) {
      return value;
    }
    throw kind == Kind.MISTAKE ? new UserException(why) : new EnvironmentFailedException(why);
  }
}
