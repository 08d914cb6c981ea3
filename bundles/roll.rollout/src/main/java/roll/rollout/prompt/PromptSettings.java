package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import roll.api.config.EnvConfig;
import roll.api.data.Message;
import roll.api.option.UserException;
import roll.api.rollout.EpisodeContext;
import roll.text.call.ThinkTags;

/** The prompt settings of environment managers and their checks. */
public final class PromptSettings {
  private static final String SYSTEM = "system";

  private PromptSettings() {}

  /** Returns the template of {@code config}, which may use {@code placeholders}. */
  public static PromptTemplate template(EnvConfig config, List<String> placeholders) {
    return PromptTemplate.parse(
        where(config) + ".agent_template", config.prompts().template(), placeholders);
  }

  /**
   * Checks the prompt template and its length limits.
   *
   * @param placeholders placeholders that the template may use
   * @param needed placeholder that it must use
   */
  public static void check(EnvConfig config, List<String> placeholders, String needed) {
    if (!template(config, placeholders).placeholders().contains(needed)) {
      throw new UserException(
          where(config) + ".agent_template: the placeholder {" + needed + "} is missing");
    }
    if (config.limits().maxSteps() < 1) {
      throw new UserException(
          where(config) + ".max_steps: expected 1 or more, found " + config.limits().maxSteps());
    }
  }

  /** Refuses tools, because a prompt that is rebuilt has no tool results. */
  public static void withoutTools(EnvConfig config) {
    if (config.agent() != null) {
      throw new UserException(
          where(config)
              + ".agent: the environment manager '"
              + config.manager()
              + "' plays without tools (with them: trajectory)");
    }
  }

  /**
   * Refuses a prompt with more pictures than {@code limit_mm_per_prompt}.
   *
   * @throws UserException naming the limit
   */
  static void fewPictures(EnvConfig config, List<Message> messages) {
    int found = Message.pictures(messages).size();
    if (found > config.prompts().maxPictures()) {
      throw new UserException(
          "%s.limit_mm_per_prompt: a prompt shows %d pictures, %d are allowed"
              .formatted(where(config), found, config.prompts().maxPictures()));
    }
  }

  private static String where(EnvConfig config) {
    return "custom_envs." + config.tag();
  }

  /**
   * Returns the beginning of a conversation: one system message, if there is one, then the other
   * messages of {@code before}.
   *
   * @param before messages before the first observation
   * @param tools description of the tools, appended to the system message
   */
  static List<Message> beginning(EnvConfig config, List<Message> before, String tools) {
    boolean told = !before.isEmpty() && before.getFirst().role().equals(SYSTEM);
    String system =
        Stream.of(system(config, before), tools)
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("\n\n"));
    List<Message> messages = new ArrayList<>();
    if (!system.isBlank()) {
      messages.add(new Message(SYSTEM, system));
    }
    messages.addAll(told ? before.subList(1, before.size()) : before);
    return messages;
  }

  /**
   * Returns the system message of the configuration followed by that of {@code before}; empty
   * without either.
   */
  public static String system(EnvConfig config, List<Message> before) {
    String own =
        config.prompts().systemTemplate() == null ? "" : config.prompts().systemTemplate().strip();
    boolean told = !before.isEmpty() && before.getFirst().role().equals(SYSTEM);
    String theirs = told ? before.getFirst().content() : "";
    return own + (own.isEmpty() || theirs.isEmpty() ? "" : "\n\n") + theirs;
  }

  /** Returns the maximum tokens of a response. */
  public static int longestResponse(EpisodeContext context) {
    int limit = context.config().limits().maxTokensPerStep();
    int sampled = context.model().sampling().maxNewTokens();
    return limit > 0 ? Math.min(limit, sampled) : sampled;
  }

  /** Returns the response after its last {@code </think>}. */
  static String withoutThoughts(String response) {
    return ThinkTags.after(response).strip();
  }
}
