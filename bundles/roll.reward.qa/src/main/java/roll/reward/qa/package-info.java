/** Rewards for answers in words, by the words they share with known answers. */
@NullMarked
package roll.reward.qa;

import org.jspecify.annotations.NullMarked;
