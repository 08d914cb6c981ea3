/** Plays many episodes at once: environment managers, group queue, batched responses. */
@NullMarked
package roll.rollout;

import org.jspecify.annotations.NullMarked;
