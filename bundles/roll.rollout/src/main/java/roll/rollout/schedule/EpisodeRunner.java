package roll.rollout.schedule;

import java.awt.image.BufferedImage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.data.Trajectory;
import roll.api.env.Episode;
import roll.api.reward.RewardModels;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.rollout.Policy;
import roll.api.rollout.Recorder;
import roll.rollout.agent.AgentPolicy;
import roll.rollout.chat.TextOnlyChatFormat;
import roll.rollout.generation.GenerationBarrier;
import roll.rollout.generation.RewardModelClient;
import roll.rollout.setup.EnvSetup;
import roll.rollout.setup.RolloutChatFormats;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.AttemptResult;
import roll.rollout.supervise.EpisodePermit;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.EpisodeTools;
import roll.rollout.supervise.ResponseReplay;
import roll.rollout.supervise.SupervisedAgent;
import roll.rollout.supervise.SupervisedScenario;
import roll.rollout.supervise.Watchdog;
import roll.runtime.pipeline.RolloutRequest;

/**
 * Runs episodes, each on its own virtual thread. They wait for responses at a {@link
 * GenerationBarrier} and report their end to it.
 */
final class EpisodeRunner implements GroupScheduler.EpisodeStarter, AutoCloseable {
  private static final long NANOS_TO_END = 10_000_000_000L;

  private final RolloutRequest request;
  private final Map<String, EnvSetup> environments;
  private final RolloutChatFormats chatFormats;
  private final ChatFormat chat;
  private final GenerationBarrier barrier;
  private final RolloutHooks hooks;
  private final Watchdog watchdog;
  private final Map<String, Semaphore> permits = new ConcurrentHashMap<>();
  private final Map<EpisodeSlot, Attempt> running = new ConcurrentHashMap<>();
  private final Map<String, List<BufferedImage>> frames = new ConcurrentHashMap<>();

  /** Creates a runner whose responses come from the agent of {@code hooks} or from the policy. */
  EpisodeRunner(
      RolloutRequest request,
      Map<String, EnvSetup> environments,
      RolloutChatFormats chatFormats,
      GenerationBarrier barrier,
      RolloutHooks hooks) {
    this.hooks = hooks;
    this.request = request;
    this.environments = environments;
    this.chatFormats = chatFormats;
    this.chat = chatFormats.policy();
    this.barrier = barrier;
    this.watchdog = new Watchdog(request.envs().monitor(), this::end);
  }

  @Override
  public Attempt begin(EpisodeSlot slot, boolean drawn) {
    return begin(slot, 0, ResponseReplay.none(), drawn);
  }

  @Override
  public Attempt beginAgain(Attempt failed, boolean drawn) {
    return begin(failed.slot(), failed.number() + 1, failed.replay().again(), drawn);
  }

  private Attempt begin(EpisodeSlot slot, int number, ResponseReplay replay, boolean drawn) {
    int most = env(slot).config().limits().maxStepConcurrent();
    Semaphore permit =
        most == 0 ? null : permits.computeIfAbsent(slot.tag(), tag -> new Semaphore(most));
    Attempt attempt =
        new Attempt(
            slot,
            number,
            new EpisodePermit(permit),
            new EpisodePermit(hooks.places()),
            replay,
            request.trace());
    running.put(slot, attempt);
    barrier.enter();
    watchdog.add(attempt);
    attempt.start(() -> play(attempt, drawn));
    return attempt;
  }

  @Override
  public void drop(Attempt attempt) {
    if (attempt.close()) {
      barrier.drop(attempt);
      attempt.interrupt();
      attempt.trace().end(null);
    }
  }

  /** Plays an attempt at an episode on its own thread. */
  private void play(Attempt attempt, boolean drawn) {
    List<BufferedImage> pictures = new ArrayList<>();
    AttemptResult ended;
    try {
      attempt.enter();
      EnvSetup env = env(attempt.slot());
      Recorder recorder =
          drawn ? episode -> episode.render().ifPresent(pictures::add) : Recorder.NONE;
      Trajectory played = env.manager().play(context(env, attempt, recorder));
      if (!pictures.isEmpty()) {
        frames.put(played.id(), List.copyOf(pictures));
      }
      RewardModels models = new RewardModelClient(request, chatFormats.models(), barrier, attempt);
      ended = env.finish(attempt, played, models);
    } catch (Throwable e) { // an environment may throw anything; the attempt must end
      ended = new AttemptResult(attempt, null, e);
    }
    watchdog.remove(attempt);
    running.remove(attempt.slot(), attempt);
    try {
      if (attempt.close()) {
        end(ended);
      }
    } finally {
      attempt.giveBackPermits(); // only now: the next episode must start after this one has been
      // counted
    }
  }

  /** Reports the end of an attempt, which is closed. */
  private void end(AttemptResult ended) {
    AttemptResult kept = kept(ended);
    ended.attempt().trace().end(kept);
    barrier.end(kept);
  }

  /** Reports a played episode to the listener; returns the failure of the listener if it throws. */
  private AttemptResult kept(AttemptResult ended) {
    Trajectory played = ended.trajectory();
    if (played == null) {
      return ended;
    }
    try {
      hooks.listener().played(played, frames.getOrDefault(played.id(), List.of()));
      return ended;
    } catch (Throwable e) { // the rollout would wait forever for an unreported episode
      return new AttemptResult(ended.attempt(), null, e);
    }
  }

  private EpisodeContext context(EnvSetup env, Attempt attempt, Recorder recorder) {
    AgentTools agents = env.agent();
    AtomicReference<@Nullable Episode> current = new AtomicReference<>();
    AgentTools kit =
        agents == null ? null : SupervisedAgent.kit(EpisodeTools.bind(agents, current), attempt);
    EpisodeSlot slot = attempt.slot();
    BarrierPolicy sampled = new BarrierPolicy(request, chat, barrier, attempt);
    Policy policy = attempt.replay().of(sampled, attempt.trace());
    ChatFormat format = chat;
    Consumer<Episode> begun = current::set;
    if (hooks.player() != null) {
      // an agent sees pictures even if the model, whose tokens are recorded, has no vision
      format = TextOnlyChatFormat.unlessVision(chat);
      AgentPolicy agent =
          new AgentPolicy(hooks.player(), chat, request.policy().tokenizer(), kit, sampled::seed);
      begun = begun.andThen(agent::begin);
      policy = agent;
    }
    return new EpisodeContext(
        env.config(),
        new SupervisedScenario(env.scenario(), attempt, begun),
        new ModelContext(
            format,
            request.policy().tokenizer(),
            policy,
            request.envs().manager().sampling(),
            request.policy().sequenceLength()),
        slot.key(),
        slot.start(request),
        kit,
        recorder);
  }

  private EnvSetup env(EpisodeSlot slot) {
    return Objects.requireNonNull(environments.get(slot.tag()), slot.tag());
  }

  /** Returns the frames of the rendered ones of {@code trajectories}. */
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
   * Ends all running episodes. An environment that ignores its interrupt is abandoned after some
   * seconds.
   */
  @Override
  public void close() {
    watchdog.close();
    List<Thread> threads = new ArrayList<>();
    for (Attempt attempt : running.values()) {
      Thread thread = attempt.thread();
      if (attempt.close() && thread != null) {
        thread.interrupt();
        threads.add(thread);
        attempt.trace().end(null);
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
