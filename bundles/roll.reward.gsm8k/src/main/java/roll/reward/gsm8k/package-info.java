/** A reward for the final number of a worked solution. */
@NullMarked
package roll.reward.gsm8k;

import org.jspecify.annotations.NullMarked;
