package roll.runtime.pipeline;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.EnvConfig;
import roll.api.config.WorkerConfig;
import roll.api.model.Tokenizer;
import roll.runtime.config.EnvManagerConfig;

/** Plays many episodes concurrently, with groups, queue and supervision. */
@ProviderType
public interface Rollouts {
  /**
   * Checks, without playing, that every tag's environment and manager are registered and accept
   * their settings, that the agent (if one plays) accepts its settings, and that the chat format is
   * known and its special tokens are in {@code tokenizer}. The first episode of each tag is started
   * to check that its prompt leaves room for a response, and then discarded.
   *
   * @param sequenceLength most tokens of prompt and responses; {@link Integer#MAX_VALUE} where
   *     nothing limits them
   * @param chatTemplateKwargs what a chat template sees beside the messages
   * @throws roll.api.option.UserException naming what is wrong and what is allowed
   */
  void check(
      EnvManagerConfig envs,
      Map<String, EnvConfig> customEnvs,
      String template,
      Tokenizer tokenizer,
      int sequenceLength,
      Map<String, Object> chatTemplateKwargs);

  /** Checks a rollout whose chat template sees {@link WorkerConfig#CHAT_TEMPLATE_KWARGS}. */
  default void check(
      EnvManagerConfig envs,
      Map<String, EnvConfig> customEnvs,
      String template,
      Tokenizer tokenizer,
      int sequenceLength) {
    check(envs, customEnvs, template, tokenizer, sequenceLength, WorkerConfig.CHAT_TEMPLATE_KWARGS);
  }

  /**
   * Plays the rollout {@code request}. Canceling the future ends all of its episodes; the future
   * fails with the name of the episode if an episode fails.
   *
   * @param listener is called for each ended episode, also if the future is canceled
   */
  CompletableFuture<RolloutResult> play(RolloutRequest request, RolloutListener listener);

  /** Plays the rollout without a listener. */
  default CompletableFuture<RolloutResult> play(RolloutRequest request) {
    return play(request, RolloutListener.NONE);
  }

  /**
   * Plays step after step without waiting for each to be used: asynchronous training. Nothing is
   * played before the first step is requested.
   *
   * @param request the first step; its pictures are not drawn
   * @param ahead how many steps (or fractions of a step) may be started before they are requested.
   *     A group that was started more steps ago than this, rounded up, is discarded and played
   *     again from its seed, or from another if its environment hangs.
   * @param steps how many steps there are: nothing is played ahead of the last
   * @param resumed folder with the {@link RolloutStream#UNFINISHED} groups to continue, or null
   * @throws roll.api.option.UserException if the file in {@code resumed} cannot be read
   */
  RolloutStream stream(RolloutRequest request, double ahead, int steps, @Nullable Path resumed);

  /** Plays step after step from new groups. */
  default RolloutStream stream(RolloutRequest request, double ahead, int steps) {
    return stream(request, ahead, steps, null);
  }
}
