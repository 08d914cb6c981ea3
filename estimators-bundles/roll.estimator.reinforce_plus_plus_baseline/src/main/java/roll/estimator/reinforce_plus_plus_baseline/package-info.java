/** Advantages of REINFORCE++ with a group baseline. */
@NullMarked
package roll.estimator.reinforce_plus_plus_baseline;

import org.jspecify.annotations.NullMarked;
