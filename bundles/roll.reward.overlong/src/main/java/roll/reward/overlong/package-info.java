/** A soft penalty for long episodes. */
@NullMarked
package roll.reward.overlong;

import org.jspecify.annotations.NullMarked;
