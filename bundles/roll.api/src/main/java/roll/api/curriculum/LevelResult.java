package roll.api.curriculum;

import org.jspecify.annotations.Nullable;

/**
 * Results of the episodes of one level in one training step.
 *
 * @param step number of the step, from 0
 * @param episodes number of episodes, at least 1
 * @param score mean sum of rewards of an episode
 * @param success mean of the environment's metric {@code success}, or null if it has none
 */
public record LevelResult(int step, int episodes, double score, @Nullable Double success) {}
