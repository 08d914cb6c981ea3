/** Advantages of GRPO: the outcome on every token. */
@NullMarked
package roll.estimator.grpo;

import org.jspecify.annotations.NullMarked;
