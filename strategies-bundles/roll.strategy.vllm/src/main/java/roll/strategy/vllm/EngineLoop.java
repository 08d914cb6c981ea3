package roll.strategy.vllm;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import roll.torch.Device;

/**
 * The loop of an engine on the device's compute thread. It runs while there is work, receives what
 * other threads submit before each step, and periodically yields to other work on the device. For
 * use from any thread.
 */
final class EngineLoop {
  /** Nanoseconds after which the loop yields. */
  static final long TURN = 50_000_000;

  private final Device device;
  private final BooleanSupplier step;
  private final Queue<Submission> inbox = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  private record Submission(Runnable receipt, CompletableFuture<?> result) {}

  /**
   * Creates an idle loop.
   *
   * @param step called on the compute thread; returns false if there was nothing to do
   */
  EngineLoop(Device device, BooleanSupplier step) {
    this.device = device;
    this.step = step;
  }

  /**
   * Runs {@code receipt} on the compute thread before the next step.
   *
   * @param result failed by an exception of {@code receipt}
   */
  void submit(Runnable receipt, CompletableFuture<?> result) {
    inbox.add(new Submission(receipt, result));
    schedule();
  }

  /** Continues an idle loop. */
  void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      var unused = device.queue(this::turn);
    }
  }

  private boolean turn() {
    long begun = System.nanoTime();
    boolean more = true;
    while (more && System.nanoTime() - begun < TURN) {
      receive();
      more = step.getAsBoolean();
    }
    scheduled.set(false);
    if (more || !inbox.isEmpty()) {
      schedule();
    }
    return more;
  }

  private void receive() {
    for (Submission next = inbox.poll(); next != null; next = inbox.poll()) {
      try {
        next.receipt().run();
      } catch (RuntimeException refusal) {
        next.result().completeExceptionally(refusal);
      }
    }
  }
}
