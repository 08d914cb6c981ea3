/** Advantages with a baseline by token that minimizes the variance of the gradient. */
@NullMarked
package roll.estimator.optimal_token_baseline;

import org.jspecify.annotations.NullMarked;
