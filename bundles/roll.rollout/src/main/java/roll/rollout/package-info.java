/** Runs many episodes concurrently: environment managers, group scheduler, batched generation. */
@NullMarked
package roll.rollout;

import org.jspecify.annotations.NullMarked;
