package roll.openai.answer;

/**
 * A token of an answer.
 *
 * @param text of it alone
 * @param logProb what the model gave it, at temperature 1
 * @param offset where its text begins in the answer
 */
record ScoredToken(String text, double logProb, int offset) {}
