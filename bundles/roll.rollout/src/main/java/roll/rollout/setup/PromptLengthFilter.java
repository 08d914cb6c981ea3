package roll.rollout.setup;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.config.EnvConfig;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.model.Tokenizer;
import roll.api.rollout.ChatFormat;
import roll.rollout.chat.BlindChatFormat;
import roll.rollout.prompt.FirstPrompt;

/**
 * Worlds without the episodes whose prompt is too long. That takes a look at every prompt, so what
 * came of it is kept from step to step, as long as there is memory and until the environment is
 * another one.
 */
public final class PromptLengthFilter {
  private final Map<Tokenizer, Map<Key, Fitted>> kept = new WeakHashMap<>();

  /** What the length of a prompt depends on, beside its text. */
  private record Key(
      EnvConfig config, String template, Map<String, Object> kwargs, int sequenceLength) {}

  /** The worlds of an environment that fit. Neither is held: their bundle may be replaced. */
  private record Fitted(WeakReference<Environment> environment, SoftReference<Scenario> worlds) {
    @Nullable Scenario of(Environment asked) {
      return environment.refersTo(asked) ? worlds.get() : null;
    }
  }

  /**
   * What prompts are measured with.
   *
   * @param template name of the chat format
   * @param kwargs what a chat template sees beside the messages
   */
  public record Measure(
      ChatFormat chat,
      Tokenizer tokenizer,
      String template,
      Map<String, Object> kwargs,
      int sequenceLength) {}

  /** {@code scenario} of {@code environment}, or what of it fits. */
  synchronized Scenario fit(
      Environment environment,
      EnvConfig config,
      Scenario scenario,
      @Nullable AgentTools agent,
      Measure measure) {
    Key key = new Key(config, measure.template(), measure.kwargs(), measure.sequenceLength());
    Map<Key, Fitted> known = kept.computeIfAbsent(measure.tokenizer(), _ -> new HashMap<>());
    Fitted before = known.get(key);
    Scenario fitted = before == null ? null : before.of(environment);
    if (fitted == null) {
      int limit = config.prompts().limit().most();
      int most = limit > 0 ? limit : measure.sequenceLength() - 1;
      FirstPrompt prompt =
          FirstPrompt.of(
              config,
              scenario,
              agent,
              BlindChatFormat.where(measure.chat()),
              config.limits().maxTokensPerStep());
      fitted = scenario.fittingSeen(seen -> prompt.whole(seen).length, most);
      if (fitted == scenario) {
        known.remove(key);
      } else {
        known.put(key, new Fitted(new WeakReference<>(environment), new SoftReference<>(fitted)));
      }
    }
    return fitted;
  }
}
