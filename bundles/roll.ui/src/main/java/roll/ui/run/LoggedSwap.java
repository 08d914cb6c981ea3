package roll.ui.run;

import org.jspecify.annotations.Nullable;

/**
 * A plugin that was replaced, as {@code run.log} says it.
 *
 * @param time ms since 1970; null where the line does not tell
 * @param step the first with the new one; null where the line does not tell
 * @param line such as {@code loss ppo → gspo}
 */
public record LoggedSwap(@Nullable Long time, @Nullable Integer step, String line) {}
