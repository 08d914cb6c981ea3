package roll.api.rollout;

import java.util.List;
import roll.api.data.Message;

/**
 * What a policy answers: the same as tokens and as text.
 *
 * @param tokens every token the model sees
 * @param messages the messages these tokens stand for, the newest last
 */
public record Prompt(int[] tokens, List<Message> messages) {}
