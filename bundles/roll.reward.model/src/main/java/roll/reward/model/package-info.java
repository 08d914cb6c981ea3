/** A reward that the head of a reward model gives. */
@NullMarked
package roll.reward.model;

import org.jspecify.annotations.NullMarked;
