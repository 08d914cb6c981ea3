package roll.api.reward;

/**
 * What a reward model gives a conversation.
 *
 * @param value of its head
 * @param cut whether the conversation was longer than the model's {@code sequence_length}: then
 *     only its beginning was read
 */
public record ModelScore(double value, boolean cut) {}
