/** Advantages of REINFORCE: rewards to go. */
@NullMarked
package roll.estimator.reinforce;

import org.jspecify.annotations.NullMarked;
