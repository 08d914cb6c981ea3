/** A reward for objects located in a picture. */
@NullMarked
package roll.reward.detection;

import org.jspecify.annotations.NullMarked;
