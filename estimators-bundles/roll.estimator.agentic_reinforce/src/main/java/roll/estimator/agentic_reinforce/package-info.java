/** Advantages of REINFORCE with a discount by turn. */
@NullMarked
package roll.estimator.agentic_reinforce;

import org.jspecify.annotations.NullMarked;
