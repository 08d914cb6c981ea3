package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentKit;
import roll.api.config.EnvConfig;
import roll.api.data.Message;
import roll.api.env.Scenario;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.tool.ToolSchema;

/**
 * What a conversation begins with.
 *
 * @param config the custom environment
 * @param instruction of its world
 * @param agent what calls tools for the policy, or null
 * @param chat chat format of the policy's model
 * @param longestResponse maximum tokens of a response
 */
public record FirstPrompt(
    EnvConfig config,
    String instruction,
    @Nullable AgentKit agent,
    ChatFormat chat,
    int longestResponse) {
  /** For the world {@code scenario}. */
  public static FirstPrompt of(
      EnvConfig config,
      Scenario scenario,
      @Nullable AgentKit agent,
      ChatFormat chat,
      int longestResponse) {
    return new FirstPrompt(config, scenario.instruction(), agent, chat, longestResponse);
  }

  /** The messages up to the first response. */
  List<Message> messages(String observation) {
    String tools = agent == null ? "" : agent.type().instruction(agent.tools());
    List<Message> messages = new ArrayList<>(PromptSettings.system(config, tools));
    String first = instruction.isEmpty() ? "" : instruction + "\n";
    messages.add(new Message("user", first + text(observation, 0)));
    return messages;
  }

  /** The user's message of a turn. */
  String text(String observation, int turn) {
    return PromptSettings.template(config, ConversationPrompt.PLACEHOLDERS)
        .fill(
            Map.of(
                "observation", observation,
                "turn_idx", String.valueOf(turn + 1),
                "suffix", "",
                "actions_left", String.valueOf(config.limits().maxSteps() - turn),
                "max_response_length", String.valueOf(longestResponse)));
  }

  /** The tokens of {@link #messages}, however many. */
  public int[] whole(String observation) {
    List<ToolSchema> listed = agent == null ? List.of() : agent.listed();
    return chat.opening(messages(observation), listed);
  }

  /**
   * The same within the limit of the configuration.
   *
   * @throws UserException if they are more, and are not to be cut
   */
  int[] tokens(String observation) {
    int[] whole = whole(observation);
    int most = config.prompts().limit().most();
    if (most == 0 || whole.length <= most) {
      return whole;
    }
    int end = whole.length;
    return switch (config.prompts().limit().truncation()) {
      case ERROR -> throw tooLong(observation, whole.length, most);
      case LEFT -> Arrays.copyOfRange(whole, end - most, end);
      case RIGHT -> Arrays.copyOf(whole, most);
      case MIDDLE -> {
        int[] cut = Arrays.copyOf(whole, most);
        int tail = most - most / 2;
        System.arraycopy(whole, end - tail, cut, most / 2, tail);
        yield cut;
      }
    };
  }

  private UserException tooLong(String observation, int found, int most) {
    String shown = observation.length() > 60 ? observation.substring(0, 60) + "…" : observation;
    return new UserException(
        "custom_envs."
            + config.tag()
            + ".max_prompt_length: a prompt has "
            + found
            + " tokens, "
            + most
            + " are allowed (truncation: left, right or middle cuts it): '"
            + shown.replace("\n", " ")
            + "'");
  }
}
