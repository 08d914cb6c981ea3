package roll.runtime.pipeline;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.EnvConfig;
import roll.api.model.Tokenizer;
import roll.runtime.config.EnvManagerConfig;

/** Plays many episodes at once: groups, queue, supervision. */
@ProviderType
public interface Rollouts {
  /**
   * Checks, without playing, that every tag's environment and manager are registered and accept
   * their settings, so does the agent if one plays, and that the chat format is known and its
   * special tokens are in {@code tokenizer}. The first episode of each tag is begun, to see that
   * its prompt leaves room for a response, and given up.
   *
   * @param sequenceLength most tokens of prompt and responses; {@link Integer#MAX_VALUE} where
   *     nothing limits them
   * @throws roll.api.option.UserException naming what is wrong and what is allowed
   */
  void check(
      EnvManagerConfig envs,
      Map<String, EnvConfig> customEnvs,
      String template,
      Tokenizer tokenizer,
      int sequenceLength);

  /**
   * Plays what {@code request} asks for. Cancelling the future ends all of its episodes; it fails
   * if one of them does, naming the episode.
   *
   * @param listener hears of each episode that came to its end, also where the future is cancelled
   */
  CompletableFuture<RolloutResult> play(RolloutRequest request, RolloutListener listener);

  /** The same without a listener. */
  default CompletableFuture<RolloutResult> play(RolloutRequest request) {
    return play(request, RolloutListener.NONE);
  }

  /**
   * Plays step after step without waiting for each to be used: asynchronous training. Nothing is
   * played before the first step is asked for.
   *
   * @param request the first step; its pictures are not drawn
   * @param ahead how much may be begun before it is asked for, in steps; a part of a step too. A
   *     group that was begun more steps ago than this, rounded up, is not used but played anew.
   * @param steps how many steps there are: nothing is played ahead of the last
   */
  RolloutStream stream(RolloutRequest request, double ahead, int steps);
}
