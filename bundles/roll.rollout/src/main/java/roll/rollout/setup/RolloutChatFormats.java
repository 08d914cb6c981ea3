package roll.rollout.setup;

import java.util.Map;
import roll.api.rollout.ChatFormat;

/**
 * The chat formats of a rollout.
 *
 * @param policy chat format of the policy
 * @param models chat formats of the reward models, by name
 */
public record RolloutChatFormats(ChatFormat policy, Map<String, ChatFormat> models) {}
