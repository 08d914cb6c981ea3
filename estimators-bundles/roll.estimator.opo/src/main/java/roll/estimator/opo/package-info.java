/** Advantages with the optimal reward baseline. */
@NullMarked
package roll.estimator.opo;

import org.jspecify.annotations.NullMarked;
