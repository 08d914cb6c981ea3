package roll.openai.answer;

/**
 * A sampled token with its log-prob.
 *
 * @param text the text of this token alone
 * @param logProb log-prob at temperature 1
 * @param offset index of its first character in the answer
 */
public record ScoredToken(String text, double logProb, int offset) {}
