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
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import roll.api.config.UserException;
import roll.api.data.RandomStreams;
import roll.api.data.Trajectory;
import roll.api.pipeline.RolloutRequest;
import roll.api.pipeline.RolloutResult;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Policy;
import roll.api.rollout.Recorder;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/**
 * One rollout. Each episode runs on a virtual thread; the thread that runs the rollout sends each
 * full {@link Wave} to the policy as one call.
 */
final class Play {
  private static final long NANOS_TO_END = 10_000_000_000L;

  private final RolloutRequest request;
  private final Map<String, Stage> stages;
  private final ChatFormat chat;
  private final List<Seat> seats;
  private final Wave wave;
  private final SortedMap<Seat, Trajectory> played = new ConcurrentSkipListMap<>();
  private final SortedMap<Seat, Throwable> failed = new ConcurrentSkipListMap<>();
  private long generateNanos;
  private long envNanos;

  /** A rollout that is not yet begun. */
  Play(RolloutRequest request, Map<String, Stage> stages, ChatFormat chat) {
    this.request = request;
    this.stages = stages;
    this.chat = chat;
    this.seats = Seat.plan(request);
    this.wave = new Wave(seats.size());
  }

  /** Plays every episode to its end; whatever happens, none goes on after that. */
  RolloutResult run() throws InterruptedException {
    Map<Seat, List<BufferedImage>> frames = new TreeMap<>();
    seats.stream().limit(request.drawn()).forEach(seat -> frames.put(seat, new ArrayList<>()));
    List<Thread> threads = new ArrayList<>();
    try {
      for (Seat seat : seats) {
        List<BufferedImage> drawn = frames.get(seat);
        Recorder recorder = drawn == null ? Recorder.NONE : episode -> drawn.add(episode.render());
        threads.add(Thread.ofVirtual().name(seat.toString()).start(() -> play(seat, recorder)));
      }
      converse();
    } finally {
      end(threads);
    }
    Map<String, List<BufferedImage>> pictures = new LinkedHashMap<>();
    frames.forEach((seat, drawn) -> pictures.put(trajectory(seat).id(), List.copyOf(drawn)));
    List<Trajectory> trajectories = seats.stream().map(this::trajectory).toList();
    Map<String, Double> metrics = RolloutMetrics.of(trajectories);
    metrics.put("time/rollout_generate", generateNanos / 1e9);
    metrics.put("time/rollout_env", envNanos / 1e9);
    return new RolloutResult(trajectories, metrics, pictures);
  }

  /** On the episode's thread. */
  private void play(Seat seat, Recorder recorder) {
    try {
      Stage stage = Objects.requireNonNull(stages.get(seat.tag()), seat.tag());
      Policy policy =
          (prompt, sampling, turn) -> wave.ask(seat, ask(seat, prompt.tokens(), sampling, turn));
      played.put(
          seat,
          stage
              .manager()
              .play(
                  new EpisodeContext(
                      stage.config(),
                      stage.scenario(),
                      chat,
                      request.tokenizer(),
                      policy,
                      request.envs().sampling(),
                      request.sequenceLength(),
                      seat.group(),
                      seat.episode(),
                      seat.member(),
                      seat.seed(),
                      recorder)));
    } catch (Throwable e) { // whatever an environment throws ends the rollout, not the wait for it
      failed.put(seat, e);
    } finally {
      wave.leave();
    }
  }

  private GenerationRequest ask(Seat seat, int[] prompt, Sampling sampling, int turn) {
    long seed =
        RandomStreams.seed(
            request.seed(), request.purpose(), seat.group(), seat.episode(), seat.member(), turn);
    return new GenerationRequest(prompt, sampling, chat.stops(), seed);
  }

  /** Wave after wave until all episodes ended. Of several failures the first seat's is thrown. */
  private void converse() throws InterruptedException {
    while (true) {
      long begun = System.nanoTime();
      SortedMap<Seat, Wave.Ask> asks = wave.take();
      long full = System.nanoTime();
      envNanos += full - begun;
      if (!failed.isEmpty()) {
        throw failure(failed.firstKey());
      }
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

  private RuntimeException failure(Seat seat) {
    Throwable cause = Objects.requireNonNull(failed.get(seat));
    return cause instanceof UserException
        ? new UserException(seat + ": " + cause.getMessage(), cause)
        : new IllegalStateException(seat + " failed: " + cause, cause);
  }

  private Trajectory trajectory(Seat seat) {
    return Objects.requireNonNull(played.get(seat), seat::toString);
  }

  /** Ends what still runs. An environment that does not listen to its interrupt is left behind. */
  private static void end(List<Thread> threads) throws InterruptedException {
    threads.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + NANOS_TO_END;
    for (Thread thread : threads) {
      thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    }
  }
}
