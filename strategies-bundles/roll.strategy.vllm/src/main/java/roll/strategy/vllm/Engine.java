package roll.strategy.vllm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import roll.sampling.Response;
import roll.torch.Device;
import roll.torch.model.Parameters;

/**
 * Continuous batching: a loop of steps on the device's compute thread, each computing what it can
 * of all requests that are there. Requests come and go between two steps. After a while the loop
 * lets others compute who share the device, and continues behind them.
 *
 * <p>All but {@link #add} is used on the compute thread alone.
 */
final class Engine {
  /** Nanoseconds after which others may compute. */
  private static final long TURN = 50_000_000;

  private static final String CLOSED = "the engine was closed";

  private final Device device;
  private final EngineSettings settings;
  private final Queue<Arrival> inbox = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Queue<RequestGroup> later = new ArrayDeque<>();
  private final Set<RequestGroup> calls = new LinkedHashSet<>();
  private final List<Runnable> whenIdle = new ArrayList<>();
  private final BlockPool pool;
  private ModelRunner kernels;
  private EngineMetrics statistics = new EngineMetrics();
  private Scheduler scheduler;
  private long arrivals;
  private long version;
  private boolean closed;

  /** A call that comes, and who waits for its answer. */
  private record Arrival(Supplier<RequestGroup> call, CompletableFuture<?> result) {}

  /** An engine with nothing to do. */
  Engine(Device device, EngineSettings settings, ModelRunner kernels) {
    this.device = device;
    this.settings = settings;
    this.kernels = kernels;
    this.pool = new BlockPool(settings.blocks(), settings.blockSize(), settings.prefixCaching());
    this.scheduler = new Scheduler(settings, pool);
    this.version = kernels.version();
  }

  /**
   * Takes up {@code call} before the next step. From any thread.
   *
   * @param call made on the compute thread; what it throws fails {@code result}
   * @param result of the call
   */
  void add(Supplier<RequestGroup> call, CompletableFuture<?> result) {
    inbox.add(new Arrival(call, result));
    schedule();
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      var unused = device.queue(this::turn);
    }
  }

  private boolean turn() {
    long begun = System.nanoTime();
    boolean more = true;
    while (more && System.nanoTime() - begun < TURN) {
      more = advance();
    }
    scheduled.set(false);
    if (more || !inbox.isEmpty()) {
      schedule();
    }
    return more;
  }

  /** Looks who came and went, and makes a step; false if there is nothing to do. */
  private boolean advance() {
    Arrival arrival = inbox.poll();
    while (arrival != null) {
      receive(arrival);
      arrival = inbox.poll();
    }
    letGo(RequestGroup::abandoned);
    while (!later.isEmpty() && (calls.isEmpty() || !settings.deterministic())) {
      begin(later.remove());
    }
    if (scheduler.isEmpty()) {
      whenIdle.forEach(Runnable::run);
      whenIdle.clear();
      return false;
    }
    try {
      step();
    } catch (RuntimeException | Error failure) {
      fail(failure);
    }
    return true;
  }

  private void receive(Arrival arrival) {
    try {
      if (closed) {
        throw new IllegalStateException(CLOSED);
      }
      later.add(arrival.call().get());
    } catch (RuntimeException refusal) {
      arrival.result().completeExceptionally(refusal);
    }
  }

  private void begin(RequestGroup call) {
    if (call.responses().isEmpty()) {
      call.answer();
      return;
    }
    calls.add(call);
    for (Response response : call.responses()) {
      scheduler.add(new EngineRequest(call, response, arrivals++));
    }
  }

  /** Lets go who is {@code gone} by now; a call may be abandoned at any time, also meanwhile. */
  private void letGo(Predicate<RequestGroup> gone) {
    later.removeIf(gone);
    List<RequestGroup> left = calls.stream().filter(gone).toList();
    if (!left.isEmpty()) {
      calls.removeAll(left);
      statistics.aborted(scheduler.remove(sequence -> left.contains(sequence.call())).size());
    }
  }

  private void step() {
    long begun = System.nanoTime();
    double before = kernels.seconds();
    kernels.wake();
    if (kernels.version() != version) {
      forget();
    }
    StepPlan plan = scheduler.plan(statistics, kernels.brief(scheduler.running()));
    statistics.state(pool, scheduler);
    int passes = kernels.passes(plan);
    if (passes > 1) {
      scheduler.lookAhead(plan, passes);
    }
    ModelRunner.Drawn drawn = kernels.run(plan, pool.touched());
    int further = draw(drawn);
    double seconds = (System.nanoTime() - begun) * 1e-9;
    statistics.step(plan, further, seconds, kernels.seconds() - before);
  }

  /** Gives everybody what it drew; how many tokens that were by passes after the first. */
  private int draw(ModelRunner.Drawn drawn) {
    int further = 0;
    for (int row = 0; row < drawn.sequences().size(); row++) {
      EngineRequest sequence = drawn.sequences().get(row);
      Response response = sequence.response();
      RequestGroup call = sequence.call();
      if (call.abandoned()) {
        continue;
      }
      if (response.size() == 0) {
        statistics.begun(call);
      }
      try {
        further += add(drawn, row);
      } catch (RuntimeException | Error failure) { // of whoever listens
        call.fail(failure);
        continue;
      }
      if (response.finished()) {
        scheduler.finish(sequence);
        if (call.finished()) {
          calls.remove(call);
        }
      }
    }
    return further;
  }

  /** Adds what {@code row} drew, up to the end of its response; how much behind the first token. */
  private int add(ModelRunner.Drawn drawn, int row) {
    EngineRequest sequence = drawn.sequences().get(row);
    Response response = sequence.response();
    int pass = 0;
    while (pass < drawn.passes() && !response.finished()) {
      if (pass > 0) {
        scheduler.advance(sequence);
      }
      int token = drawn.token(pass, row);
      sequence.add(token);
      response.add(token, drawn.logProb(pass, row), drawn.samplingLogProb(pass, row), version);
      pass++;
    }
    return Math.max(0, pass - 1);
  }

  /** A step that failed has no results, and nobody knows what it wrote. */
  private void fail(Throwable failure) {
    calls.forEach(call -> call.fail(failure));
    letGo(call -> true);
    forget();
    kernels.sleep();
  }

  /** Has all that runs recomputed: by other weights, or because the cache is gone. */
  private void forget() {
    scheduler.forget();
    kernels.forget();
    version = kernels.version();
  }

  /** Goes over to {@code next}; what is being written continues with them. */
  void use(Parameters next) {
    kernels.use(next);
    forget();
  }

  /** Goes over to {@code next}, a model with other kernels; the caller closes the old ones. */
  void use(ModelRunner next) {
    kernels = next;
    forget();
  }

  /** Frees what can be had again, as soon as nothing is being written; then tells {@code done}. */
  void sleep(Runnable done) {
    whenIdle.add(
        () -> {
          forget();
          kernels.sleep();
          done.run();
        });
    schedule();
  }

  /** What was done since the last call of this. */
  Map<String, Double> metrics() {
    Map<String, Double> metrics = statistics.metrics();
    statistics = new EngineMetrics();
    return metrics;
  }

  /** Blocks that nobody reads. */
  int freeBlocks() {
    return pool.free();
  }

  /** Fails all that is being written, and what comes later. */
  void close() {
    closed = true;
    IllegalStateException ended = new IllegalStateException(CLOSED);
    calls.forEach(call -> call.fail(ended));
    later.forEach(call -> call.fail(ended));
    letGo(call -> true);
  }
}
