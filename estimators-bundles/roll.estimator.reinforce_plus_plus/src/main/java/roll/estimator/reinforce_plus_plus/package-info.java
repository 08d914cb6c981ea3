/** Advantages of REINFORCE++. */
@NullMarked
package roll.estimator.reinforce_plus_plus;

import org.jspecify.annotations.NullMarked;
