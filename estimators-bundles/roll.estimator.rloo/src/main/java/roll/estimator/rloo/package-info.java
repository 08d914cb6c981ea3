/** Advantages of REINFORCE leave-one-out. */
@NullMarked
package roll.estimator.rloo;

import org.jspecify.annotations.NullMarked;
