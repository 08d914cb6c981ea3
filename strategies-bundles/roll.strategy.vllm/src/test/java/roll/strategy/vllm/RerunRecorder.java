package roll.strategy.vllm;

import org.jspecify.annotations.Nullable;
import roll.torch.StepRecorder;

/** Records work by keeping it, and replays it by running it again; counts what it is asked for. */
final class RerunRecorder implements StepRecorder {
  private final @Nullable RuntimeException failure;
  private int tried;
  private int recorded;
  private int replayed;
  private int closed;

  RerunRecorder() {
    this(null);
  }

  /** One that fails with {@code failure}, as soon as work has warmed up. */
  RerunRecorder(@Nullable RuntimeException failure) {
    this.failure = failure;
  }

  @Override
  public Recording record(Runnable work) {
    tried++;
    work.run();
    work.run();
    if (failure != null) {
      throw failure;
    }
    recorded++;
    return new Recording() {
      private boolean open = true;

      @Override
      public void replay() {
        if (!open) {
          throw new IllegalStateException("a closed recording is replayed");
        }
        replayed++;
        work.run();
      }

      @Override
      public void close() {
        open = false;
        closed++;
      }
    };
  }

  int tried() {
    return tried;
  }

  int recorded() {
    return recorded;
  }

  int replayed() {
    return replayed;
  }

  int open() {
    return recorded - closed;
  }
}
