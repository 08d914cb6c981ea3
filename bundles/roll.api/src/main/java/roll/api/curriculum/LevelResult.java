package roll.api.curriculum;

import org.jspecify.annotations.Nullable;

/**
 * How the episodes of one level went in one training step.
 *
 * @param step its number, counted from 0
 * @param episodes how many there were, at least 1
 * @param score mean sum of rewards of an episode
 * @param success mean of the environment's metric {@code success}, or null where it reports none
 */
public record LevelResult(int step, int episodes, double score, @Nullable Double success) {}
