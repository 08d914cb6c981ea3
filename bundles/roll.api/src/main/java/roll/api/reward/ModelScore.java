package roll.api.reward;

/**
 * The score of a conversation by a reward model.
 *
 * @param value output of the value head
 * @param cut whether the conversation was truncated to the model's {@code sequence_length}
 */
public record ModelScore(double value, boolean cut) {}
