/** A reward for answers that are mathematically equal to the known one. */
@NullMarked
package roll.reward.math_verify;

import org.jspecify.annotations.NullMarked;
