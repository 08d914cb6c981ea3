/** Advantages of ReMax: the greedy response as baseline. */
@NullMarked
package roll.estimator.remax;

import org.jspecify.annotations.NullMarked;
