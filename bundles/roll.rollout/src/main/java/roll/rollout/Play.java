package roll.rollout;

import java.awt.image.BufferedImage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;
import roll.api.data.RandomStreams;
import roll.api.data.Trajectory;
import roll.api.pipeline.RolloutRequest;
import roll.api.pipeline.RolloutResult;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.GroupFilter;
import roll.api.rollout.Policy;
import roll.api.rollout.Recorder;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/**
 * One rollout. Each episode runs on a virtual thread; the thread that runs the rollout decides what
 * is played and sends each full {@link Wave} to the policy as one call.
 */
final class Play implements Groups.Crowd {
  private static final long NANOS_TO_END = 10_000_000_000L;

  private final RolloutRequest request;
  private final Map<String, Stage> stages;
  private final ChatFormat chat;
  private final Groups groups;
  private final Wave wave = new Wave();
  private final Watch watch;
  private final Map<String, Semaphore> permits = new ConcurrentHashMap<>();
  private final Map<Seat, Attempt> latest = new ConcurrentHashMap<>();
  private long generateNanos;
  private long envNanos;

  /** A rollout that is not yet begun. */
  Play(
      RolloutRequest request,
      Map<String, Stage> stages,
      ChatFormat chat,
      @Nullable GroupFilter filter) {
    this.request = request;
    this.stages = stages;
    this.chat = chat;
    this.groups = new Groups(request, filter, this);
    this.watch = new Watch(request.monitor().hungTimeout(), wave::end);
  }

  /** Plays every group to its end; whatever happens, no episode goes on after that. */
  RolloutResult run() throws InterruptedException {
    try (watch) {
      groups.begin();
      converse();
    } finally {
      end();
    }
    List<Trajectory> trajectories = groups.trajectories();
    Map<String, Double> metrics = RolloutMetrics.of(trajectories);
    metrics.putAll(groups.counts());
    metrics.put("time/rollout_generate", generateNanos / 1e9);
    metrics.put("time/rollout_env", envNanos / 1e9);
    return new RolloutResult(
        trajectories, metrics, pictures(trajectories), groups.faults(), groups.quarantined());
  }

  @Override
  public Attempt begin(Seat seat, int number) {
    int most = stage(seat).config().maxStepConcurrent();
    Semaphore permit =
        most == 0 ? null : permits.computeIfAbsent(seat.tag(), tag -> new Semaphore(most));
    Attempt attempt = new Attempt(seat, number, permit);
    latest.put(seat, attempt);
    wave.enter();
    watch.add(attempt);
    attempt.start(() -> play(attempt));
    return attempt;
  }

  @Override
  public void drop(Attempt attempt) {
    if (attempt.close()) {
      wave.drop(attempt);
      attempt.interrupt();
    }
  }

  /** On the episode's thread. */
  private void play(Attempt attempt) {
    Seat seat = attempt.seat();
    Ended ended;
    try {
      Stage stage = stage(seat);
      ended = new Ended(attempt, stage.manager().play(context(stage, attempt)), null);
    } catch (Throwable e) { // whatever an environment throws must not be waited for
      ended = new Ended(attempt, null, e);
    }
    watch.remove(attempt);
    if (attempt.close()) {
      wave.end(ended);
    }
  }

  private EpisodeContext context(Stage stage, Attempt attempt) {
    Seat seat = attempt.seat();
    Policy policy =
        (prompt, sampling, turn) ->
            wave.ask(attempt, ask(attempt, prompt.tokens(), sampling, turn));
    boolean drawn = request.drawn() > 0 && seat.draw() == 0 && groups.place(seat) < request.drawn();
    Recorder recorder = drawn ? e -> attempt.frames().add(e.render()) : Recorder.NONE;
    return new EpisodeContext(
        stage.config(),
        new SupervisedScenario(stage.scenario(), attempt),
        chat,
        request.tokenizer(),
        policy,
        request.envs().sampling(),
        request.sequenceLength(),
        seat.group(),
        seat.episode(),
        seat.member(),
        seat.seed(),
        recorder);
  }

  private Stage stage(Seat seat) {
    return Objects.requireNonNull(stages.get(seat.tag()), seat.tag());
  }

  /** The first attempt at a planned episode draws its responses from the seat alone. */
  private GenerationRequest ask(Attempt attempt, int[] prompt, Sampling sampling, int turn) {
    Seat seat = attempt.seat();
    long seed =
        RandomStreams.seed(
            request.seed(), request.purpose(), seat.group(), seat.episode(), seat.member(), turn);
    boolean planned = seat.draw() == 0 && attempt.number() == 0;
    return new GenerationRequest(
        prompt,
        sampling,
        chat.stops(),
        planned ? seed : RandomStreams.seed(seed, "again", seat.draw(), attempt.number()));
  }

  /** Wave after wave until all groups are complete. */
  private void converse() throws InterruptedException {
    while (true) {
      long begun = System.nanoTime();
      while (groups.settle(wave.settle())) {
        // what was begun now is to ask first
      }
      SortedMap<Seat, Wave.Ask> asks = wave.take();
      long full = System.nanoTime();
      envNanos += full - begun;
      if (asks.isEmpty()) {
        return;
      }
      answer(asks);
      generateNanos += System.nanoTime() - full;
    }
  }

  private void answer(SortedMap<Seat, Wave.Ask> asks) throws InterruptedException {
    Future<List<Generation>> pending =
        request.policy().generate(asks.values().stream().map(Wave.Ask::request).toList());
    try {
      List<Generation> generations = pending.get();
      if (generations.size() != asks.size()) {
        throw new IllegalStateException(
            asks.size() + " requests were answered by " + generations.size() + " responses");
      }
      Iterator<Generation> next = generations.iterator();
      asks.values().forEach(ask -> ask.answer().complete(next.next()));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw cause instanceof UserException user
          ? user
          : new IllegalStateException("generation failed: " + cause, cause);
    } catch (InterruptedException e) {
      pending.cancel(true);
      throw e;
    }
  }

  /** Frames of the first planned episodes, as far as these were played. */
  private Map<String, List<BufferedImage>> pictures(List<Trajectory> trajectories) {
    Map<String, List<BufferedImage>> pictures = new LinkedHashMap<>();
    Map<String, Attempt> byId = new LinkedHashMap<>();
    latest.forEach((seat, attempt) -> byId.put(seat.trajectoryId(), attempt));
    for (Trajectory trajectory : trajectories) {
      Attempt attempt = byId.get(trajectory.id());
      if (attempt != null && !attempt.frames().isEmpty()) {
        pictures.put(trajectory.id(), List.copyOf(attempt.frames()));
      }
    }
    return pictures;
  }

  /** Ends what still runs. An environment that does not listen to its interrupt is left behind. */
  private void end() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (Attempt attempt : latest.values()) {
      Thread thread = attempt.thread();
      if (attempt.close() && thread != null) {
        thread.interrupt();
        threads.add(thread);
      }
    }
    long deadline = System.nanoTime() + NANOS_TO_END;
    for (Thread thread : threads) {
      thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    }
  }
}
