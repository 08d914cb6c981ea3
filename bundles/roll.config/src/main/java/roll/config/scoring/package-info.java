/** Entries of {@code reward_models} that score by a head. */
@NullMarked
package roll.config.scoring;

import org.jspecify.annotations.NullMarked;
