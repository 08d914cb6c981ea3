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
import roll.rollout.chat.TextOnlyChatFormat;
import roll.rollout.prompt.FirstPrompt;

/**
 * Filters out episodes whose first prompt is too long. That needs every prompt, so results are
 * cached across steps, while memory allows and until the environment is replaced.
 */
public final class PromptLengthFilter {
  private final Map<Tokenizer, Map<Key, Fitted>> kept = new WeakHashMap<>();

  /** The settings that determine the length of a prompt. */
  private record Key(
      EnvConfig config, String template, Map<String, Object> kwargs, int sequenceLength) {}

  /**
   * A scenario whose prompts were filtered by length. Both references are weak because the bundle
   * may be replaced.
   */
  private record Fitted(WeakReference<Environment> environment, SoftReference<Scenario> worlds) {
    @Nullable Scenario of(Environment asked) {
      return environment.refersTo(asked) ? worlds.get() : null;
    }
  }

  /**
   * The chat format and limits that measure prompts.
   *
   * @param template name of the chat format
   * @param kwargs additional variables of the chat template
   */
  public record Measure(
      ChatFormat chat,
      Tokenizer tokenizer,
      String template,
      Map<String, Object> kwargs,
      int sequenceLength) {}

  /** Returns {@code scenario}, or a filtered one if any of its prompts is too long. */
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
          new FirstPrompt(
              config,
              scenario.instruction(),
              agent,
              TextOnlyChatFormat.unlessVision(measure.chat()),
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
