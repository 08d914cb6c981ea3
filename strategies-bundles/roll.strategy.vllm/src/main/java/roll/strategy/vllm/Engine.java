package roll.strategy.vllm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import roll.api.strategy.EngineLoad;
import roll.sampling.ResponseState;
import roll.strategy.vllm.config.EngineSettings;
import roll.strategy.vllm.speculation.NgramProposer;
import roll.torch.Device;
import roll.torch.model.Parameters;

/**
 * Continuous batching: an {@link EngineLoop} of steps, each of which runs as many tokens of all
 * requests as it can. Requests are added and removed between steps.
 *
 * <p>All methods but {@link #add}, {@link #drain} and {@link #load} are used only on the compute
 * thread.
 */
final class Engine {
  private static final String CLOSED = "the engine was closed";

  private final EngineSettings settings;
  private final EngineLoop loop;
  private final Queue<RequestGroup> later = new ArrayDeque<>();
  private final Set<RequestGroup> calls = new LinkedHashSet<>();
  private final List<Runnable> whenIdle = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final BlockPool pool;
  private final LoadMeter load = new LoadMeter();
  private ModelRunner kernels;
  private EngineMetrics statistics = new EngineMetrics();
  private Scheduler scheduler;
  private long arrivals;
  private long version;
  private boolean closed;

  /** A change of the weights that waits for the calls in flight, and its result. */
  private record Change(Runnable change, CompletableFuture<Void> result) {}

  /** Creates an idle engine. */
  Engine(Device device, EngineSettings settings, ModelRunner kernels) {
    this.settings = settings;
    this.loop = new EngineLoop(device, this::advance);
    this.kernels = kernels;
    this.pool = new BlockPool(settings.blocks(), settings.blockSize(), settings.prefixCaching());
    this.scheduler = new Scheduler(settings, pool);
    this.version = kernels.version();
  }

  /**
   * Submits {@code call}, which is added before the next step. For use from any thread.
   *
   * @param call runs on the compute thread; its exception fails {@code result}
   * @param result of the call
   */
  void add(Supplier<RequestGroup> call, CompletableFuture<?> result) {
    submit(() -> later.add(call.get()), result);
  }

  private void submit(Runnable receipt, CompletableFuture<?> result) {
    loop.submit(
        () -> {
          if (closed) {
            throw new IllegalStateException(CLOSED);
          }
          receipt.run();
        },
        result);
  }

  /** Adds and removes requests, and makes a step; returns false if there is nothing to do. */
  private boolean advance() {
    letGo(RequestGroup::abandoned);
    while (changes.isEmpty()
        && !later.isEmpty()
        && (calls.isEmpty() || !settings.deterministic())) {
      begin(later.remove());
    }
    if (scheduler.isEmpty()) {
      whenIdle.forEach(Runnable::run);
      whenIdle.clear();
      return applied();
    }
    try {
      step();
    } catch (RuntimeException | Error failure) {
      fail(failure);
    }
    return true;
  }

  /** Makes the waiting changes; returns whether there were any. */
  private boolean applied() {
    List<Change> now = List.copyOf(changes);
    changes.clear();
    for (Change waiting : now) {
      try {
        waiting.change().run();
        waiting.result().complete(null);
      } catch (RuntimeException | Error refusal) {
        waiting.result().completeExceptionally(refusal);
      }
    }
    return !now.isEmpty();
  }

  private void begin(RequestGroup call) {
    if (call.responses().isEmpty()) {
      call.answer();
      return;
    }
    calls.add(call);
    for (ResponseState response : call.responses()) {
      scheduler.add(new EngineRequest(call, response, arrivals++));
    }
  }

  /**
   * Removes calls that are {@code gone}; a call may be abandoned at any time, also during a step.
   */
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
      renew();
    }
    StepPlan plan = scheduler.plan(statistics, kernels.brief(scheduler.running()));
    statistics.state(pool, scheduler);
    load.add(scheduler.load());
    NgramProposer proposer = settings.proposer();
    if (proposer != null) {
      scheduler.speculate(plan, proposer);
    }
    int passes = kernels.passes(plan);
    if (passes > 1) {
      scheduler.lookAhead(plan, passes);
    }
    Drawn drawn = kernels.run(plan, pool.touched());
    int further = draw(drawn);
    double seconds = (System.nanoTime() - begun) * 1e-9;
    statistics.step(plan, further, seconds, kernels.seconds() - before);
    statistics.decoded(kernels.takeReads());
  }

  /**
   * Adds the sampled tokens to the sequences; returns the number of tokens from passes after the
   * first.
   */
  private int draw(Drawn drawn) {
    int further = 0;
    for (int row = 0; row < drawn.sequences().size(); row++) {
      EngineRequest sequence = drawn.sequences().get(row);
      ResponseState response = sequence.response();
      RequestGroup call = sequence.call();
      if (call.abandoned()) {
        continue;
      }
      if (response.size() == 0) {
        statistics.begun(call);
      }
      try {
        further += add(drawn, row);
      } catch (RuntimeException | Error failure) { // exception of a listener
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

  /**
   * Adds the tokens sampled in {@code row}, up to the end of its response; returns their number
   * after the first.
   */
  private int add(Drawn drawn, int row) {
    EngineRequest sequence = drawn.sequences().get(row);
    ResponseState response = sequence.response();
    int pass = 0;
    while (drawn.has(pass, row) && !response.finished() && !sequence.call().abandoned()) {
      if (pass > 0) {
        scheduler.advance(sequence);
      }
      int token = drawn.token(pass, row);
      sequence.add(token);
      response.add(token, drawn.logProb(pass, row), drawn.samplingLogProb(pass, row), version);
      pass++;
    }
    int further = Math.max(0, pass - 1);
    if (sequence.proposed() > 0) {
      statistics.speculated(sequence.proposed(), further);
      sequence.accept(further);
    }
    return further;
  }

  /** Handles a failed step, which has no results and may have written any part of the cache. */
  private void fail(Throwable failure) {
    calls.forEach(call -> call.fail(failure));
    letGo(call -> true);
    forget();
    kernels.sleep();
  }

  /** Recomputes all running sequences, after a change of weights or loss of the cache. */
  private void forget() {
    scheduler.forget();
    kernels.forget();
    version = kernels.version();
  }

  /** Continues running sequences with changed weights, and with their cache if so configured. */
  private void renew() {
    if (settings.update() == EngineSettings.WeightUpdate.KEEP) {
      scheduler.keep();
      kernels.forgetPictures();
      version = kernels.version();
    } else {
      forget();
    }
  }

  /** Switches to {@code next}; running sequences continue with them. */
  void use(Parameters next) {
    kernels.use(next);
    renew();
  }

  /**
   * Makes {@code change} on the compute thread when the calls in flight have ended, and before
   * later ones begin. For use from any thread.
   */
  void drain(Runnable change, CompletableFuture<Void> result) {
    submit(() -> changes.add(new Change(change, result)), result);
  }

  /** Switches to {@code next}, a model with other kernels; the caller closes the old runner. */
  void use(ModelRunner next) {
    kernels = next;
    forget();
  }

  /** Frees memory that can be restored, as soon as no sequence runs; then calls {@code done}. */
  void sleep(Runnable done) {
    whenIdle.add(
        () -> {
          forget();
          kernels.sleep();
          done.run();
        });
    loop.schedule();
  }

  /** Returns the load since the previous call. For use from any thread. */
  EngineLoad load() {
    return load.read();
  }

  /** Returns the metrics since the previous call. */
  Map<String, Double> metrics() {
    Map<String, Double> metrics = statistics.metrics();
    statistics = new EngineMetrics();
    return metrics;
  }

  /** Returns the number of free blocks; for tests. */
  int freeBlocks() {
    return pool.free();
  }

  /** Fails all running and later requests. */
  void close() {
    closed = true;
    IllegalStateException ended = new IllegalStateException(CLOSED);
    calls.forEach(call -> call.fail(ended));
    later.forEach(call -> call.fail(ended));
    changes.forEach(change -> change.result().completeExceptionally(ended));
    changes.clear();
    letGo(call -> true);
  }
}
