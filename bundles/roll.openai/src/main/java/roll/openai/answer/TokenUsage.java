package roll.openai.answer;

/**
 * The tokens of an answer.
 *
 * @param prompt those of all prompts
 * @param written those of all choices
 * @param thought those of them in thoughts, if the format separates thoughts
 */
public record TokenUsage(int prompt, int written, int thought) {}
