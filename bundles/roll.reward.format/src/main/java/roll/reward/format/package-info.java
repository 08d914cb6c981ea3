/** Rewards for how responses are written: their form, their tool calls, their length. */
@NullMarked
package roll.reward.format;

import org.jspecify.annotations.NullMarked;
