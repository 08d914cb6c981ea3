package roll.rollout;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullMarked;

/** Misbehavior of plugins that must not harm a run. */
@NullMarked
enum Misbehavior {
  THROWS,
  OVERFLOWS,
  RUNS_OUT_OF_MEMORY,
  LINKS_NOT,
  /** An undeclared checked exception. */
  SNEAKS,
  /** An exception that throws when it is printed. */
  HOSTILE,
  INTERRUPTS,
  /** Waits and does not listen to interrupts. */
  HANGS,
  LOOPS,
  /** An uncaught exception in a new thread. */
  THROWS_ELSEWHERE,
  NULL,
  HALF_A_PAIR,
  GIANT;

  /** Does it, where it is something that is done; ends what has no end once it is {@code over}. */
  void commit(AtomicBoolean over) {
    switch (this) {
      case THROWS -> throw new IllegalStateException("it broke\nin two");
      case OVERFLOWS -> deeper(0);
      case RUNS_OUT_OF_MEMORY -> throw new OutOfMemoryError("Java heap space");
      case LINKS_NOT -> throw new NoClassDefFoundError("no/such/Class");
      case SNEAKS -> Misbehavior.<RuntimeException>sneak(new InterruptedException("not really"));
      case HOSTILE -> throw new Hostile();
      case INTERRUPTS -> Thread.currentThread().interrupt();
      case HANGS -> {
        while (!over.get()) {
          if (!Thread.interrupted()) {
            LockSupport.parkNanos(10_000_000);
          }
        }
      }
      case LOOPS -> {
        while (!over.get()) {
          Thread.onSpinWait();
        }
      }
      case THROWS_ELSEWHERE -> {
        Thread own =
            new Thread(
                () -> {
                  throw new Hostile();
                });
        own.setUncaughtExceptionHandler((thread, thrown) -> {}); // not into the test's output
        own.start();
      }
      default -> {}
    }
  }

  /** {@code fine}, or what it says in its place. */
  @SuppressWarnings("NullAway") // that is the point
  String text(String fine) {
    return switch (this) {
      case NULL -> null;
      case HALF_A_PAIR -> "a\ud83d";
      case GIANT -> "x".repeat(3_000_000);
      default -> fine;
    };
  }

  /** Whether whoever called it can see that something is wrong. */
  boolean seen() {
    return this != THROWS_ELSEWHERE;
  }

  private static int deeper(int depth) {
    return depth < 0 ? 0 : 1 + deeper(depth + 1);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new StackOverflowError();
    }
  }
}
