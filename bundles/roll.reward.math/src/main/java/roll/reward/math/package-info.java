/** Rewards for right answers to mathematical questions, compared as texts and as expressions. */
@NullMarked
package roll.reward.math;

import org.jspecify.annotations.NullMarked;
