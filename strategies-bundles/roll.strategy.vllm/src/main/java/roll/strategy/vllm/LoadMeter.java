package roll.strategy.vllm;

import java.util.concurrent.atomic.AtomicReference;
import roll.api.strategy.EngineLoad;

/** The load of the steps since it was last read. Written by the engine, read by any thread. */
final class LoadMeter {
  private final AtomicReference<EngineLoad> load = new AtomicReference<>(new EngineLoad(0, 0, 0));

  /** Adds the load of a step, whose use of the cache is above 0. */
  void add(EngineLoad step) {
    load.accumulateAndGet(step, LoadMeter::combine);
  }

  /** Returns the load since the previous call. */
  EngineLoad read() {
    return load.getAndUpdate(last -> new EngineLoad(0, 0, last.preemptions()));
  }

  private static EngineLoad combine(EngineLoad since, EngineLoad step) {
    return since.use() == 0
        ? step
        : new EngineLoad(
            Math.max(since.use(), step.use()),
            Math.min(since.waiting(), step.waiting()),
            step.preemptions());
  }
}
