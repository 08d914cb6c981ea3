package roll.rollout;

import java.awt.image.BufferedImage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import roll.api.agent.AgentKit;
import roll.api.data.RandomStreams;
import roll.api.data.Trajectory;
import roll.api.env.Scenario;
import roll.api.reward.RewardModels;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Policy;
import roll.api.rollout.Recorder;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.runtime.pipeline.RolloutRequest;

/**
 * The episodes in play, each on a virtual thread of its own. They wait for their responses, and say
 * that they ended, in a {@link Wave}.
 */
final class Episodes implements Groups.Crowd, AutoCloseable {
  private static final long NANOS_TO_END = 10_000_000_000L;

  private final RolloutRequest request;
  private final Map<String, Stage> stages;
  private final Chats chats;
  private final ChatFormat chat;
  private final Wave wave;
  private final Cast cast;
  private final Watch watch;
  private final Map<String, Semaphore> permits = new ConcurrentHashMap<>();
  private final Map<Seat, Attempt> running = new ConcurrentHashMap<>();
  private final Map<String, List<BufferedImage>> frames = new ConcurrentHashMap<>();

  /** No episodes yet, of the policy. */
  Episodes(RolloutRequest request, Map<String, Stage> stages, Chats chats, Wave wave) {
    this(request, stages, chats, wave, Cast.POLICY);
  }

  /** No episodes yet, of whoever plays in {@code cast}. */
  Episodes(RolloutRequest request, Map<String, Stage> stages, Chats chats, Wave wave, Cast cast) {
    this.cast = cast;
    this.request = request;
    this.stages = stages;
    this.chats = chats;
    this.chat = chats.policy();
    this.wave = wave;
    this.watch = new Watch(request.monitor(), wave::end);
  }

  @Override
  public Attempt begin(Seat seat, boolean drawn) {
    return begin(seat, 0, Answers.none(), drawn);
  }

  @Override
  public Attempt beginAgain(Attempt failed, boolean drawn) {
    return begin(failed.seat(), failed.number() + 1, failed.answers().again(), drawn);
  }

  private Attempt begin(Seat seat, int number, Answers answers, boolean drawn) {
    int most = stage(seat).config().maxStepConcurrent();
    Semaphore permit =
        most == 0 ? null : permits.computeIfAbsent(seat.tag(), tag -> new Semaphore(most));
    Attempt attempt =
        new Attempt(seat, number, new Permit(permit), new Permit(cast.places()), answers);
    running.put(seat, attempt);
    wave.enter();
    watch.add(attempt);
    attempt.start(() -> play(attempt, drawn));
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
  private void play(Attempt attempt, boolean drawn) {
    List<BufferedImage> pictures = new ArrayList<>();
    Ended ended;
    try {
      attempt.enter();
      Stage stage = stage(attempt.seat());
      Recorder recorder = drawn ? episode -> pictures.add(episode.render()) : Recorder.NONE;
      Trajectory played = stage.manager().play(context(stage, attempt, recorder));
      RewardModels models = new Asking(request, chats.models(), wave, attempt);
      ended = new Ended(attempt, stage.finish(attempt, played, models), null);
    } catch (Throwable e) { // whatever an environment throws must not be waited for
      ended = new Ended(attempt, null, e);
    }
    watch.remove(attempt);
    running.remove(attempt.seat(), attempt);
    try {
      if (attempt.close()) {
        wave.end(kept(ended, pictures));
      }
    } finally {
      attempt.giveBackPermits(); // whoever plays next may end the rollout: this one counts first
    }
  }

  /** What ended, once the rollout has kept it; where it could not, that is how it ended. */
  private Ended kept(Ended ended, List<BufferedImage> pictures) {
    Trajectory played = ended.trajectory();
    if (played == null) {
      return ended;
    }
    try {
      if (!pictures.isEmpty()) {
        frames.put(played.id(), List.copyOf(pictures));
      }
      cast.listener().played(played, List.copyOf(pictures));
      return ended;
    } catch (Throwable e) { // an episode that nobody hears of would be waited for without an end
      return new Ended(ended.attempt(), null, e);
    }
  }

  private EpisodeContext context(Stage stage, Attempt attempt, Recorder recorder) {
    AgentKit agents = stage.agent();
    AgentKit kit = agents == null ? null : SupervisedAgent.kit(agents, attempt);
    Seat seat = attempt.seat();
    Scenario scenario = new SupervisedScenario(stage.scenario(), attempt);
    Policy policy =
        attempt
            .answers()
            .of(
                (prompt, sampling, turn) ->
                    wave.ask(
                        attempt, request.policy(), ask(attempt, prompt.tokens(), sampling, turn)));
    if (cast.player() != null) {
      AgentPolicy agent =
          new AgentPolicy(
              cast.player(), chat, request.tokenizer(), kit, turn -> seed(attempt, turn));
      scenario = agent.watching(scenario);
      policy = agent;
    }
    return new EpisodeContext(
        stage.config(),
        scenario,
        chat,
        request.tokenizer(),
        policy,
        request.envs().sampling(),
        request.sequenceLength(),
        seat.group(),
        seat.episode(),
        seat.member(),
        seat.start(request),
        kit,
        recorder);
  }

  private Stage stage(Seat seat) {
    return Objects.requireNonNull(stages.get(seat.tag()), seat.tag());
  }

  private GenerationRequest ask(Attempt attempt, int[] prompt, Sampling sampling, int turn) {
    return new GenerationRequest(prompt, sampling, chat.stops(), seed(attempt, turn));
  }

  /** The first attempt at a planned episode draws its responses from the seat alone. */
  private long seed(Attempt attempt, int turn) {
    Seat seat = attempt.seat();
    long seed =
        RandomStreams.seed(
            request.seed(), request.purpose(), seat.group(), seat.episode(), seat.member(), turn);
    boolean planned = seat.draw() == 0 && attempt.number() == 0;
    return planned ? seed : RandomStreams.seed(seed, "again", seat.draw(), attempt.number());
  }

  /** Frames of those of {@code trajectories} that were drawn. */
  Map<String, List<BufferedImage>> pictures(List<Trajectory> trajectories) {
    Map<String, List<BufferedImage>> pictures = new LinkedHashMap<>();
    for (Trajectory trajectory : trajectories) {
      List<BufferedImage> drawn = frames.get(trajectory.id());
      if (drawn != null) {
        pictures.put(trajectory.id(), drawn);
      }
    }
    return pictures;
  }

  /**
   * Ends what still runs. An environment that does not listen to its interrupt is left behind after
   * some seconds.
   */
  @Override
  public void close() {
    watch.close();
    List<Thread> threads = new ArrayList<>();
    for (Attempt attempt : running.values()) {
      Thread thread = attempt.thread();
      if (attempt.close() && thread != null) {
        thread.interrupt();
        threads.add(thread);
      }
    }
    long deadline = System.nanoTime() + NANOS_TO_END;
    try {
      for (Thread thread : threads) {
        thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
