package roll.runtime.pipeline;

/**
 * An episode that could not be played to its end.
 *
 * @param tag name of the custom environment
 * @param seed of the episode
 * @param problem one line: which episode, which call, what happened
 * @param stack where it happened, over many lines
 */
public record EpisodeFault(String tag, long seed, String problem, String stack) {}
