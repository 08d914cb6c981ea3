package roll.rollout.setup;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.env.EpisodeStart;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.rollout.Policy;
import roll.api.rollout.Prompt;
import roll.api.rollout.Recorder;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;

/**
 * An episode that is begun and given up as soon as the policy is to write: whether it ever is.
 *
 * @param chat chat format of the policy's model
 * @param tokenizer of the policy's model
 * @param sampling how responses would be drawn
 * @param sequenceLength most tokens of prompt and responses
 * @param sees whether who plays sees pictures
 */
public record FirstTurnCheck(
    ChatFormat chat, Tokenizer tokenizer, Sampling sampling, int sequenceLength, boolean sees) {
  /** An environment that takes longer is left to the rollout, which watches over it. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** What came of it. */
  private sealed interface Seen {}

  /** The policy was asked. */
  private record Asked() implements Seen {}

  /** The episode ended without a word of the policy. */
  private record Silent(Trajectory played) implements Seen {}

  /** It was refused. */
  private record Refused(UserException reason) implements Seen {}

  /** Ends the episode when the policy is asked. */
  private static final class Enough extends CancellationException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Begins an episode of {@code env}. What fails otherwise is passed over here: a rollout tries it
   * again.
   *
   * @throws UserException if its prompt leaves no room for a response, or a prompt is refused
   */
  public void check(EnvSetup env) {
    AtomicReference<@Nullable Seen> seen = new AtomicReference<>();
    Thread playing =
        Thread.ofVirtual()
            .name("first turn of " + env.config().tag())
            .start(new OneShotTask(() -> play(env, seen)));
    try {
      if (!playing.join(PATIENCE)) {
        playing.interrupt();
        return;
      }
    } catch (InterruptedException e) {
      playing.interrupt();
      Thread.currentThread().interrupt();
      return;
    }
    switch (seen.get()) {
      case Refused refused -> throw refused.reason();
      case Silent silent when silent.played().written() == 0 -> throw full(env, silent.played());
      case Silent _, Asked _ -> {}
      case null -> {}
    }
  }

  private void play(EnvSetup env, AtomicReference<@Nullable Seen> seen) {
    try {
      Trajectory played = env.manager().play(context(env, seen));
      seen.compareAndSet(null, new Silent(played));
    } catch (UserException e) {
      seen.compareAndSet(null, new Refused(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      // whatever an environment throws: the rollout tries it again and tells of it, with the stack
    }
  }

  private EpisodeContext context(EnvSetup env, AtomicReference<@Nullable Seen> seen) {
    return new EpisodeContext(
        env.config(),
        env.scenario(),
        new ModelContext(chat, tokenizer, new Enquiry(seen, sees), sampling, sequenceLength),
        new TrajectoryKey(env.config().tag(), 0, 0, 0, 0),
        EpisodeStart.of(0),
        env.agent(),
        Recorder.NONE);
  }

  /** A policy that ends the episode when it is asked. */
  private record Enquiry(AtomicReference<@Nullable Seen> seen, boolean seesPictures)
      implements Policy {
    @Override
    public Generation respond(Prompt prompt, Sampling sampling, int turn) {
      seen.set(new Asked());
      throw new Enough();
    }
  }

  private UserException full(EnvSetup env, Trajectory played) {
    int tokens = played.sequences().stream().mapToInt(s -> s.tokens().length).max().orElse(0);
    return new UserException(
        "sequence_length: %d, and the first prompt of custom_envs.%s fills it (%d tokens of it): no room is left for a response"
            .formatted(sequenceLength, env.config().tag(), tokens));
  }
}
