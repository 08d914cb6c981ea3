package roll.rollout.setup;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.rollout.Policy;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;
import roll.rollout.supervise.EpisodeTools;

/**
 * Plays an episode up to the first request to the policy, to check that its first prompt leaves
 * room for a response.
 *
 * @param chat chat format of the policy's model
 * @param tokenizer of the policy's model
 * @param sampling sampling settings of responses
 * @param sequenceLength maximum tokens of prompt and responses
 * @param sees whether the model or agent sees pictures
 */
public record FirstTurnCheck(
    ChatFormat chat, Tokenizer tokenizer, Sampling sampling, int sequenceLength, boolean sees) {
  /** Time limit; a slower environment is left to the supervision of the rollout. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** The outcome of the check of the first turn. */
  private sealed interface Outcome {}

  /** Outcome of the check: the policy received a request. */
  private record Prompted() implements Outcome {}

  /** The episode ended without a request to the policy. */
  private record Completed(Trajectory played) implements Outcome {}

  /** Outcome of the check: the episode was refused. */
  private record Refused(UserException reason) implements Outcome {}

  /** Ends the episode at the first request. */
  private static final class FirstRequest extends CancellationException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Checks the first turn of {@code env}. Other failures are ignored here, since a rollout retries.
   *
   * @throws UserException if the first prompt leaves no room for a response or is refused
   */
  public void check(EnvSetup env) {
    AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
    Thread playing =
        Thread.ofVirtual()
            .name("first turn of " + env.config().tag())
            .start(new OneShotTask(() -> play(env, outcome)));
    try {
      if (!playing.join(TIMEOUT)) {
        playing.interrupt();
        return;
      }
    } catch (InterruptedException e) {
      playing.interrupt();
      Thread.currentThread().interrupt();
      return;
    }
    switch (outcome.get()) {
      case Refused refused -> throw refused.reason();
      case Completed completed when completed.played().written() == 0 ->
          throw full(env, completed.played());
      case Completed _, Prompted _ -> {}
      case null -> {}
    }
  }

  private void play(EnvSetup env, AtomicReference<@Nullable Outcome> outcome) {
    try {
      Trajectory played = env.manager().play(context(env, outcome));
      outcome.compareAndSet(null, new Completed(played));
    } catch (UserException e) {
      outcome.compareAndSet(null, new Refused(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      // an environment may throw anything; the rollout retries it and reports the stack trace
    }
  }

  private EpisodeContext context(EnvSetup env, AtomicReference<@Nullable Outcome> outcome) {
    AtomicReference<@Nullable Episode> begun = new AtomicReference<>();
    AgentTools agent = env.agent();
    return new EpisodeContext(
        env.config(),
        env.scenario(),
        new ModelContext(chat, tokenizer, new ProbePolicy(outcome, sees), sampling, sequenceLength),
        new TrajectoryKey(env.config().tag(), 0, 0, 0, 0),
        EpisodeStart.of(0),
        agent == null ? null : EpisodeTools.bind(agent, begun),
        begun::set);
  }

  /** A policy that ends the episode at the first request. */
  private record ProbePolicy(AtomicReference<@Nullable Outcome> outcome, boolean seesPictures)
      implements Policy {
    @Override
    public Generation respond(Prompt prompt, Sampling sampling, int turn) {
      outcome.set(new Prompted());
      throw new FirstRequest();
    }
  }

  private UserException full(EnvSetup env, Trajectory played) {
    int tokens = played.sequences().stream().mapToInt(s -> s.tokens().length).max().orElse(0);
    return new UserException(
        "sequence_length: %d, and the first prompt of custom_envs.%s fills it (%d tokens of it): no room is left for a response"
            .formatted(sequenceLength, env.config().tag(), tokens));
  }
}
