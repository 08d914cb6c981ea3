package roll.rollout.prompt;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.config.EnvConfig;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.env.Observation;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EpisodeContext;
import roll.api.tool.ToolSchema;

/**
 * The first prompt of a conversation.
 *
 * @param config the custom environment
 * @param instruction instruction of the environment
 * @param agent tools of the policy, or null
 * @param chat chat format of the policy's model
 * @param longestResponse maximum tokens of a response
 */
public record FirstPrompt(
    EnvConfig config,
    String instruction,
    @Nullable AgentTools agent,
    ChatFormat chat,
    int longestResponse) {
  /** Returns the first prompt of the episode of {@code context}. */
  static FirstPrompt of(EpisodeContext context) {
    return new FirstPrompt(
        context.config(),
        context.scenario().instruction(),
        context.agent(),
        context.model().chat(),
        PromptSettings.longestResponse(context));
  }

  /** Returns the messages up to the first response. */
  List<Message> messages(Observation observation) {
    String tools = agent == null ? "" : agent.type().instruction(agent.tools());
    List<Message> messages = PromptSettings.beginning(config, observation.before(), tools);
    messages.add(behind(instruction.isEmpty() ? "" : instruction + "\n", message(observation, 0)));
    return messages;
  }

  private static Message behind(String text, Message message) {
    return new Message(
        message.role(),
        text + message.content(),
        null,
        message.pictures().stream()
            .map(placed -> new InlinePicture(text.length() + placed.at(), placed.picture()))
            .toList());
  }

  /** Returns the user message of a turn, with the pictures at the position of the observation. */
  Message message(Observation observation, int turn) {
    return PromptSettings.template(config, ConversationPrompt.PLACEHOLDERS)
        .fill(
            Map.of(
                "observation", observation.text(),
                "turn_idx", String.valueOf(turn + 1),
                "suffix", "",
                "actions_left", String.valueOf(config.limits().maxSteps() - turn),
                "max_response_length", String.valueOf(longestResponse)),
            "observation",
            observation);
  }

  /** Returns the tokens of {@link #messages}, without truncation. */
  public int[] whole(Observation observation) {
    List<ToolSchema> listed = agent == null ? List.of() : agent.listed();
    return chat.opening(messages(observation), listed);
  }

  /**
   * Returns the tokens, truncated to {@code max_prompt_length}.
   *
   * @throws UserException if there are more and {@code truncation} is {@code error}
   */
  TruncatedPrompt cut(Observation observation) {
    TruncatedPrompt whole =
        new TruncatedPrompt(
            whole(observation), chat.imageToken() < 0 ? List.of() : observation.shown());
    int length = whole.tokens().length;
    int most = config.prompts().limit().most();
    if (most == 0 || length <= most) {
      return whole;
    }
    return switch (config.prompts().limit().truncation()) {
      case ERROR -> throw tooLong(observation.text(), length, most);
      case LEFT -> whole.keep(0, most, chat.imageToken());
      case RIGHT -> whole.keep(most, 0, chat.imageToken());
      case MIDDLE -> whole.keep(most / 2, most - most / 2, chat.imageToken());
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
