/** Advantages of turns: normalized discounted returns. */
@NullMarked
package roll.estimator.step_reinforce;

import org.jspecify.annotations.NullMarked;
