/** Advantages of turns: normalised discounted returns. */
@NullMarked
package roll.estimator.step_reinforce;

import org.jspecify.annotations.NullMarked;
