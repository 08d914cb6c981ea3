package roll.rollout.setup;

import java.util.Map;
import roll.api.rollout.ChatFormat;

/**
 * The chat formats of a rollout.
 *
 * @param policy that of the model that plays
 * @param models those of the models that rewards ask, by name
 */
public record RolloutChatFormats(ChatFormat policy, Map<String, ChatFormat> models) {}
